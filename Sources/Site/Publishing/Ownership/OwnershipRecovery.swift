package import PhotoModel

/// Which files in an output folder an earlier run of this program has made, for when the list of them was lost with
/// the state folder. The folder's own status.json must say that gallerygen made it; then those files are ours that it
/// names, and those that prove themselves. A name proves nothing: everything else stays foreign.
///
/// - Returns: By path; empty if there is nothing to go by.
/// - Throws: `SiteError.cannotMake` if `output` is no folder; `.write` if it can't be read.
package func adoptableFiles(in output: String) throws(SiteError) -> [String: OwnedFile] {
    try OwnershipRecovery(SiteRoot(path: output))?.files() ?? [:]
}

/// Finds out which files in an output folder are ours by what they show.
struct OwnershipRecovery {
    /// How its name begins wherever it is written.
    static let generator = "gallerygen "

    private let root: SiteRoot
    private let folder: Folder
    private let status: PublishedStatus

    /// - Returns: nil if the folder has no status.json of ours.
    init?(_ root: SiteRoot) throws(SiteError) {
        guard let folder = root.folder, folder.kind(of: SitePath.status) == .file,
            let status = try PublishedStatus(in: folder)
        else { return nil }
        self.root = root
        self.folder = folder
        self.status = status
    }

    /// The files of ours that a record of the folder lacks, because the one or the other was brought back from
    /// elsewhere: status.json, which tells the time of the last change, is then ours and not the recorded one. Where
    /// it is the recorded one, gone, or just about to be replaced, the record knows everything.
    static func missing(in owned: [String: OwnedFile], of root: SiteRoot) throws(SiteError) -> [String: OwnedFile] {
        guard let recorded = owned[SitePath.status]?.digest, let folder = root.folder,
            folder.kind(of: SitePath.status) == .file,
            try OpenFile(reading: SitePath.status, in: folder).digest() != recorded,
            let recovery = try OwnershipRecovery(root)
        else { return [:] }
        return try recovery.files().filter { path, _ in
            // A page with the name of no photo is somebody's copy.
            owned[path] == nil && (!path.hasPrefix("photo/") || recovery.status.photoPages.contains(path))
        }
    }

    func files() throws(SiteError) -> [String: OwnedFile] {
        var adopted: [String: OwnedFile] = [:]
        for name in SiteRoot.fileNames where folder.kind(of: name) == .file {
            guard try isOurs(name) else { continue }
            adopted[name] = OwnedFile(digest: nil, bytes: try OpenFile(reading: name, in: folder).size())
        }
        let entrance = adopted[SitePath.index] == nil ? "" : try text(of: SitePath.index, in: folder)
        for name in SiteRoot.folderNames where folder.kind(of: name) == .folder {
            guard let subfolder = try root.existing(name) else { continue }
            var files: [String] = []
            try subfolder.forEachEntry { file, kind in if kind == .file { files.append(file) } }
            for file in files where try isOurs(file, in: subfolder, called: name, entrance: entrance) {
                let path = "\(name)/\(file)"
                let recorded = status.pictureBytes[path]
                let bytes = if let recorded { recorded } else { try OpenFile(reading: file, in: subfolder).size() }
                adopted[path] = OwnedFile(digest: nil, bytes: bytes)
            }
        }
        return adopted
    }

    /// Of a file at the top of the site.
    private func isOurs(_ name: String) throws(SiteError) -> Bool {
        switch name {
        case SitePath.status: true
        case SitePath.feed: try Self.head(of: name, in: folder).contains("<generator>" + Self.generator)
        case SitePath.live: try Self.isLiveStatus(name, in: folder)
        case SitePath.search: try Self.isSearch(name, in: folder)
        default: try isPage(name, in: folder)
        }
    }

    static func isLiveStatus(_ name: String, in folder: Folder) throws(SiteError) -> Bool {
        try head(of: name, in: folder).hasPrefix("window.galleryLive = ")
    }

    private static func isSearch(_ name: String, in folder: Folder) throws(SiteError) -> Bool {
        try head(of: name, in: folder).hasPrefix("window.galleryPhotos = ")
    }

    /// - Parameter entrance: the text of the site's first page.
    private func isOurs(
        _ file: String, in folder: Folder, called name: String, entrance: String
    ) throws(SiteError) -> Bool {
        switch name {
        case "images": status.pictureBytes["images/" + file] != nil
        case "photo": status.photoPages.contains("photo/" + file) ? true : try Self.namesGenerator(file, in: folder)
        case "page": Self.isIndexPage(file) ? try isPage(file, in: folder) : false
        case "album": try Self.namesGenerator(file, in: folder)
        case "assets" where Self.isAsset(file):
            entrance.contains("assets/" + file) ? true : try isAsNamed(file, in: folder)
        default: false
        }
    }

    /// Templates of one's own may leave the generator out, but the first page still leads to the first photo.
    private func isPage(_ file: String, in folder: Folder) throws(SiteError) -> Bool {
        if try Self.namesGenerator(file, in: folder) { return true }
        guard file == SitePath.index, let page = status.firstPhotoPage else { return false }
        return try text(of: file, in: folder).contains("\"\(SitePath.encoded(page))\"")
    }

    /// Whether a style or script is what its name says: the hash in it is that of its content.
    private func isAsNamed(_ file: String, in folder: Folder) throws(SiteError) -> Bool {
        if "assets/" + file == SitePath.earlierSearch { return try Self.isSearch(file, in: folder) }
        return try OpenFile(reading: file, in: folder).digest().prefix(16) == file.split(separator: ".")[1]
    }

    private func text(of file: String, in folder: Folder) throws(SiteError) -> String {
        String(decoding: try OpenFile(reading: file, in: folder).readAll(), as: UTF8.self)
    }
}

extension OwnershipRecovery {
    /// "2.html" and up.
    private static func isIndexPage(_ file: String) -> Bool {
        guard let number = file.removing(suffix: ".html").flatMap({ Int($0) }), number >= 2 else { return false }
        return file == "\(number).html"
    }

    /// "0123456789abcdef-320.jpg", ".png" or ".webp".
    static func isPicture(_ file: String) -> Bool {
        let stem = file.removing(suffix: ".jpg") ?? file.removing(suffix: ".png") ?? file.removing(suffix: ".webp")
        guard let stem else { return false }
        let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, isHash(parts[0]), let width = Int(parts[1]) else { return false }
        return width > 0 && String(width) == parts[1]
    }

    /// "gallery.0123456789abcdef.css", ".js" or ".svg".
    private static func isAsset(_ file: String) -> Bool {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && !parts[0].isEmpty && parts[0].allSatisfy(SitePath.isPlain) && isHash(parts[1])
            && ["css", "js", "svg"].contains(parts[2])
    }

    private static func isHash(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Whether the head of a page says that gallerygen made it: status.json does not name the pages of albums, nor
    /// those that a killed run had put in place before it.
    static func namesGenerator(_ file: String, in folder: Folder) throws(SiteError) -> Bool {
        guard file.hasSuffix(".html") else { return false }
        return try head(of: file, in: folder).contains(#"<meta name="generator" content="gallerygen "#)
    }

    private static func head(of file: String, in folder: Folder) throws(SiteError) -> String {
        String(decoding: try OpenFile(reading: file, in: folder).read().prefix(1 << 12), as: UTF8.self)
    }
}

package import PhotoModel

/// Finds the files in an output folder that an earlier run of gallerygen has written, if the record of them was lost
/// with the state folder. The folder must have a status.json of gallerygen. A file is owned if status.json names it or
/// if its content proves it. A file's name alone proves nothing, so all other files stay foreign.
///
/// - Returns: the owned files by path; empty if there is no status.json of gallerygen.
/// - Throws: `SiteError.cannotCreate` if `output` is not a folder; `.write` if it can't be read.
package func adoptableFiles(in output: String) throws(SiteError) -> [String: OwnedFile] {
    try OwnershipRecovery(SiteRoot(path: output, isOnlyRead: true))?.files() ?? [:]
}

/// Finds the owned files in an output folder by their content.
///
/// A list of owned files in the site could not replace this. After a kill in the middle of a publication, the site has
/// files that such a list doesn't have yet, unless one list is published before the files and another one after them.
struct OwnershipRecovery {
    /// Strings of which each file that gallerygen writes has at least one in its first 4 KiB.
    private static let signatures =
        [
            #"<meta name="generator" content="gallerygen "#, "<generator>gallerygen ", "window.galleryLive = ",
            "window.galleryPhotos = ", "window.galleryIndex = ", #"{"generator":"gallerygen "#,
        ] + Sitemap.signatures

    private let root: SiteRoot
    private let folder: Folder
    /// The names of the photos in status.json.
    let photoNames: [String]
    /// The paths of the photo pages that status.json names.
    private let photoPages: Set<String>
    /// The link on index.html to the page of the first photo.
    private let firstLink: String?
    /// The size that each picture had when it was published, in bytes, by path.
    private let pictureBytes: [String: Int64]
    /// The files of earlier publications that stay in the site.
    private let retained: RetainedFiles

    /// - Returns: nil if the folder has no status.json of gallerygen.
    init?(_ root: SiteRoot) throws(SiteError) {
        guard let folder = root.folder, let site = try PublishedSite(statusOf: root) else { return nil }
        self.root = root
        self.folder = folder
        photoNames = site.photos.map(\.name)
        photoPages = Set(site.photos.map { SitePath.photo($0.slug) })
        firstLink = site.photos.first.map { "\"\(SitePath.encoded(SitePath.photo($0.slug)))\"" }
        pictureBytes = site.pictureBytes
        retained = try RetainedFiles(in: root)
    }

    /// A recovery of the files that are missing in the record, because either the folder or the record was restored
    /// from elsewhere. In that case status.json, which has the time of the last change, is a file of gallerygen but not
    /// the recorded one. If status.json is the recorded one, has been removed, or is claimed for a replacement, the
    /// record is complete.
    /// - Parameter recorded: the recorded digest of status.json.
    /// - Returns: nil if the record is complete.
    init?(of root: SiteRoot, ifStatusIsNot recorded: Digest) throws(SiteError) {
        guard let folder = root.folder, folder.kind(of: SitePath.status) == .file,
            try OpenFile(reading: SitePath.status, in: folder).digest() != recorded
        else { return nil }
        try self.init(root)
    }

    /// The owned files that the record doesn't have.
    func files(except isRecorded: (String) -> Bool) throws(SiteError) -> [String: OwnedFile] {
        try files().filter { path, _ in
            // A page in photo/ that belongs to no photo is somebody's copy.
            !isRecorded(path) && (!path.hasPrefix("photo/") || photoPages.contains(path))
        }
    }

    func files() throws(SiteError) -> [String: OwnedFile] {
        var found: [String: OwnedFile] = [:]
        for name in SiteRoot.fileNames where folder.kind(of: name) == .file {
            found[name] = try ownedFile(name, named: name, in: folder)
        }
        for name in SiteRoot.folderNames where folder.kind(of: name) == .folder {
            guard let subfolder = try root.existing(name) else { continue }
            var files: [String] = []
            try subfolder.forEachEntry { file, kind in if kind == .file { files.append(file) } }
            for file in files {
                let path = "\(name)/\(file)"
                found[path] = try ownedFile(path, named: file, in: subfolder)
            }
        }
        return found
    }

    /// - Returns: nil if gallerygen doesn't own the file.
    private func ownedFile(_ path: String, named name: String, in folder: Folder) throws(SiteError) -> OwnedFile? {
        if let published = pictureBytes[path] { return OwnedFile(digest: nil, bytes: published) }
        // A retained picture is never rendered again, so a file with another size is somebody else's.
        if let entry = retained.entries[path], folder.status(of: name)?.size == entry.bytes {
            return OwnedFile(digest: nil, bytes: entry.bytes)
        }
        guard try isOwned(path, named: name, in: folder) else { return nil }
        return OwnedFile(digest: nil, bytes: try OpenFile(reading: name, in: folder).size())
    }

    private func isOwned(_ path: String, named name: String, in folder: Folder) throws(SiteError) -> Bool {
        if path == SitePath.status || photoPages.contains(path) { return true }
        switch path.split(separator: "/").first {
        case "images": return false
        case "assets": return try Self.isNamedByContent(name, in: folder)
        case "page" where !Self.isIndexPage(name): return false
        case "photo" where !name.hasSuffix(".html"), "album" where !name.hasSuffix(".html"): return false
        default: return try Self.isSigned(name, in: folder) ? true : isFrontPage(path)
        }
    }

    /// Whether index.html links to the first photo. Custom templates can omit the generator, but they keep this link.
    private func isFrontPage(_ path: String) throws(SiteError) -> Bool {
        guard path == SitePath.index, let firstLink else { return false }
        let page = try OpenFile(reading: path, in: folder).readAll()
        return String(decoding: page, as: UTF8.self).contains(firstLink)
    }

    /// Whether the beginning of a file has one of the signatures.
    static func isSigned(_ name: String, in folder: Folder) throws(SiteError) -> Bool {
        let head = String(decoding: try OpenFile(reading: name, in: folder).read().prefix(1 << 12), as: UTF8.self)
        return signatures.contains { head.contains($0) }
    }

    /// Whether the hash in the name of an asset is that of its content: "gallery.0123456789abcdef.css".
    private static func isNamedByContent(_ name: String, in folder: Folder) throws(SiteError) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        return try OpenFile(reading: name, in: folder).digest().prefix(16) == parts[1]
    }

    /// Whether a name in page/ is that of a further index page: "2.html" and up.
    private static func isIndexPage(_ name: String) -> Bool {
        guard let number = name.removing(suffix: ".html").flatMap({ Int($0) }), number >= 2 else { return false }
        return name == "\(number).html"
    }
}

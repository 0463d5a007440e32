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
///
/// A list of them in the site would not do instead: after a kill in the middle of a publication, files are in place
/// that no list in the site tells of yet, unless one is put there before them, and another one at the end.
struct OwnershipRecovery {
    /// What files that gallerygen writes say in their first kilobytes.
    private static let signatures =
        [
            #"<meta name="generator" content="gallerygen "#, "<generator>gallerygen ", "window.galleryLive = ",
            "window.galleryPhotos = ", "window.galleryIndex = ", #"{"generator":"gallerygen "#,
        ] + Sitemap.signatures

    private let root: SiteRoot
    private let folder: Folder
    /// The paths of the photos' pages.
    private let photoPages: Set<String>
    /// The link on the site's first page to the page of its first photo.
    private let firstLink: String?
    /// By path: how many bytes each picture had when it was published.
    private let pictureBytes: [String: Int64]
    /// What stays of earlier publications.
    private let kept: KeptFiles

    /// - Returns: nil if the folder has no status.json of ours.
    init?(_ root: SiteRoot) throws(SiteError) {
        guard let folder = root.folder, let site = try PublishedSite(statusOf: root) else { return nil }
        self.root = root
        self.folder = folder
        photoPages = Set(site.photos.map { SitePath.photo($0.slug) })
        firstLink = site.photos.first.map { "\"\(SitePath.encoded(SitePath.photo($0.slug)))\"" }
        pictureBytes = site.pictureBytes
        kept = try KeptFiles(in: root)
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
            owned[path] == nil && (!path.hasPrefix("photo/") || recovery.photoPages.contains(path))
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

    /// - Returns: nil if the file is not ours.
    private func ownedFile(_ path: String, named name: String, in folder: Folder) throws(SiteError) -> OwnedFile? {
        if let published = pictureBytes[path] { return OwnedFile(digest: nil, bytes: published) }
        // No build makes a kept picture again: one of another size is somebody else's.
        if let entry = kept.entries[path], folder.status(of: name)?.size == entry.bytes {
            return OwnedFile(digest: nil, bytes: entry.bytes)
        }
        guard try isOurs(path, named: name, in: folder) else { return nil }
        return OwnedFile(digest: nil, bytes: try OpenFile(reading: name, in: folder).size())
    }

    private func isOurs(_ path: String, named name: String, in folder: Folder) throws(SiteError) -> Bool {
        if path == SitePath.status || photoPages.contains(path) { return true }
        switch path.split(separator: "/").first {
        case "images": return false
        case "assets": return try Self.isNamedByContent(name, in: folder)
        case "page" where !Self.isIndexPage(name): return false
        case "photo" where !name.hasSuffix(".html"), "album" where !name.hasSuffix(".html"): return false
        default: return try Self.isSigned(name, in: folder) ? true : isFrontPage(path)
        }
    }

    /// Templates of one's own may leave the generator out, but the first page still leads to the first photo.
    private func isFrontPage(_ path: String) throws(SiteError) -> Bool {
        guard path == SitePath.index, let firstLink else { return false }
        let page = try OpenFile(reading: path, in: folder).readAll()
        return String(decoding: page, as: UTF8.self).contains(firstLink)
    }

    /// Whether a file begins as only gallerygen's do.
    static func isSigned(_ name: String, in folder: Folder) throws(SiteError) -> Bool {
        let head = String(decoding: try OpenFile(reading: name, in: folder).read().prefix(1 << 12), as: UTF8.self)
        return signatures.contains { head.contains($0) }
    }

    /// "gallery.0123456789abcdef.css" with content of that digest.
    private static func isNamedByContent(_ name: String, in folder: Folder) throws(SiteError) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        return try OpenFile(reading: name, in: folder).digest().prefix(16) == parts[1]
    }

    /// "2.html" and up.
    private static func isIndexPage(_ name: String) -> Bool {
        guard let number = name.removing(suffix: ".html").flatMap({ Int($0) }), number >= 2 else { return false }
        return name == "\(number).html"
    }
}

internal import Foundation

/// Which files in an output folder an earlier run of this program has made, for when the list of them was lost with
/// the state folder. The folder's own status.json must say that gallerygen made it; then those files are ours that it
/// names, and those with names that only gallerygen gives. Everything else stays foreign.
///
/// - Returns: By path; empty if there is nothing to go by.
/// - Throws: `SiteError.cannotMake` if `output` is no folder; `.write` if it can't be read.
package func adoptableFiles(in output: String) throws(SiteError) -> [String: OwnedFile] {
    let root = try SiteRoot(path: output)
    guard let folder = root.folder else { return [:] }
    var names: [String: Folder.EntryKind] = [:]
    try folder.forEachEntry { names[$0] = $1 }
    guard names[SitePath.status] == .file, let status = try EarlierStatus(in: folder) else { return [:] }

    var adopted: [String: OwnedFile] = [:]
    for name in SiteRoot.fileNames where names[name] == .file {
        guard try Adoption.mayBeOurs(name, in: folder) else { continue }
        adopted[name] = OwnedFile(digest: nil, bytes: try OpenFile(reading: name, in: folder).size())
    }
    for name in SiteRoot.folderNames where names[name] == .folder {
        guard let subfolder = try root.existing(name) else { continue }
        var files: [String] = []
        try subfolder.forEachEntry { file, kind in if kind == .file { files.append(file) } }
        for file in files where try status.accountsFor(file, in: subfolder, called: name) {
            let path = "\(name)/\(file)"
            let recorded = status.pictureBytes[path]
            let bytes = if let recorded { recorded } else { try OpenFile(reading: file, in: subfolder).size() }
            adopted[path] = OwnedFile(digest: nil, bytes: bytes)
        }
    }
    return adopted
}

/// What an earlier run wrote into status.json, as far as it tells which files are ours.
private struct EarlierStatus {
    private struct Schema: Decodable {
        struct Photo: Decodable {
            let page: String
            let images: [Image]
            let original: Image?
        }
        struct Image: Decodable {
            let path: String
            let bytes: Int64
            let webp: File?
        }
        struct File: Decodable {
            let path: String
            let bytes: Int64
        }
        let schema: Int
        let generator: String
        let photos: [Photo]
    }

    private let photoPages: Set<String>
    /// By path: how many bytes each picture had when it was published.
    let pictureBytes: [String: Int64]

    /// - Returns: nil if the folder's status.json is not one of ours.
    init?(in folder: Folder) throws(SiteError) {
        let bytes = try OpenFile(reading: SitePath.status, in: folder).readAll()
        // That it can't be decoded is an answer: then it is somebody else's.
        guard let status = try? JSONDecoder().decode(Schema.self, from: Data(bytes)),
            status.schema == 1, status.generator.hasPrefix(Adoption.generator)
        else { return nil }
        photoPages = Set(status.photos.map(\.page))
        let pictures = status.photos.flatMap { $0.images + [$0.original].compactMap(\.self) }
        let files = pictures.map { ($0.path, $0.bytes) } + pictures.compactMap(\.webp).map { ($0.path, $0.bytes) }
        pictureBytes = Dictionary(files, uniquingKeysWith: { first, _ in first })
    }

    func accountsFor(_ file: String, in folder: Folder, called name: String) throws(SiteError) -> Bool {
        switch name {
        case "photo": photoPages.contains("photo/" + file) ? true : try Adoption.namesGenerator(file, in: folder)
        case "page": Adoption.isIndexPage(file)
        case "images": Adoption.isPicture(file)
        case "assets": Adoption.isAsset(file)
        case "album": try Adoption.namesGenerator(file, in: folder)
        default: false
        }
    }
}

/// By what a file shows that gallerygen made it.
enum Adoption {
    /// How its name begins wherever it is written.
    static let generator = "gallerygen "

    /// "2.html" and up.
    static func isIndexPage(_ file: String) -> Bool {
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
    static func isAsset(_ file: String) -> Bool {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && !parts[0].isEmpty && parts[0].allSatisfy(SitePath.isPlain) && isHash(parts[1])
            && ["css", "js", "svg"].contains(parts[2])
    }

    private static func isHash(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Names that others may give too are ours where the file says so.
    static func mayBeOurs(_ file: String, in folder: Folder) throws(SiteError) -> Bool {
        switch file {
        case SitePath.problems: try namesGenerator(file, in: folder)
        case SitePath.live:
            try OpenFile(reading: file, in: folder).read().starts(with: "window.galleryLive = ".utf8)
        default: true
        }
    }

    /// Whether the head of a page says that gallerygen made it: status.json does not name the pages of albums, nor those
    /// that a killed run had put in place before it.
    static func namesGenerator(_ file: String, in folder: Folder) throws(SiteError) -> Bool {
        guard file.hasSuffix(".html") else { return false }
        let head = try OpenFile(reading: file, in: folder).read().prefix(1 << 12)
        return String(decoding: head, as: UTF8.self).contains(#"<meta name="generator" content="gallerygen "#)
    }
}

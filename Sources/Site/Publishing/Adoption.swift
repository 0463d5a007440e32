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
    for name in [SitePath.index, SitePath.problems, SitePath.feed, SitePath.status] where names[name] == .file {
        adopted[name] = OwnedFile(digest: nil, bytes: try OpenFile(reading: name, in: folder).size())
    }
    for name in SiteRoot.folderNames where names[name] == .folder {
        guard let subfolder = try root.existing(name) else { continue }
        var files: [String] = []
        try subfolder.forEachEntry { file, kind in if kind == .file { files.append(file) } }
        for file in files where try status.accountsFor(file, in: subfolder, called: name) {
            let bytes = try OpenFile(reading: file, in: subfolder).size()
            adopted["\(name)/\(file)"] = OwnedFile(digest: nil, bytes: bytes)
        }
    }
    return adopted
}

/// What an earlier run wrote into status.json, as far as it tells which files are ours.
private struct EarlierStatus {
    private struct Schema: Decodable {
        struct Photo: Decodable {
            let page: String
        }
        let schema: Int
        let generator: String
        let photos: [Photo]
    }

    private let photoPages: Set<String>

    /// - Returns: nil if the folder's status.json is not one of ours.
    init?(in folder: Folder) throws(SiteError) {
        let bytes = try OpenFile(reading: SitePath.status, in: folder).readAll()
        // That it can't be decoded is an answer: then it is somebody else's.
        guard let status = try? JSONDecoder().decode(Schema.self, from: Data(bytes)),
            status.schema == 1, status.generator.hasPrefix("gallerygen ")
        else { return nil }
        photoPages = Set(status.photos.map(\.page))
    }

    func accountsFor(_ file: String, in folder: Folder, called name: String) throws(SiteError) -> Bool {
        switch name {
        case "photo": photoPages.contains("photo/" + file)
        case "page": Self.isIndexPage(file)
        case "images": Self.isPicture(file)
        case "assets": Self.isAsset(file)
        case "album": file.hasSuffix(".html") ? try Self.namesGenerator(file, in: folder) : false
        default: false
        }
    }

    /// "2.html" and up.
    private static func isIndexPage(_ file: String) -> Bool {
        guard let number = file.removing(suffix: ".html").flatMap({ Int($0) }), number >= 2 else { return false }
        return file == "\(number).html"
    }

    /// "0123456789abcdef-320.jpg" or ".png".
    private static func isPicture(_ file: String) -> Bool {
        guard let stem = file.removing(suffix: ".jpg") ?? file.removing(suffix: ".png") else { return false }
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

    /// Whether the head of a page says that gallerygen made it: status.json does not name the pages of albums.
    private static func namesGenerator(_ file: String, in folder: Folder) throws(SiteError) -> Bool {
        let head = try OpenFile(reading: file, in: folder).read().prefix(1 << 12)
        return String(decoding: head, as: UTF8.self).contains(#"<meta name="generator" content="gallerygen "#)
    }
}

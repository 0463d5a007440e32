internal import Addresses
internal import Manifest

/// Tells addresses in JSON from other texts.
enum PictureText {
    /// Whether a text is a URL, or the path of a file with the name of a picture.
    static func isAddress(_ text: String) -> Bool { isURL(text) || endsLikePicture(text) }

    /// Whether a text is a URL of a scheme that lists can contain, and does not end like another file than a picture.
    static func isURL(_ text: String) -> Bool {
        if isOtherFile(text) { return false }
        return switch URLScheme.of(WhiteSpace.trimmed(text)) {
        case "http", "https": true
        case "file": WhiteSpace.trimmed(text).dropFirst("file:".count).first == "/"
        default: false
        }
    }

    /// Whether a text is an address or a path that ends like the name of a picture. Names with a colon, as in
    /// "wiki/File:Lake.jpg", are those of pages, and names with a brace are templates.
    static func endsLikePicture(_ text: String) -> Bool {
        let path = WhiteSpace.trimmed(String(text.prefix { $0 != "?" && $0 != "#" }))
        return PictureName.isPicture(path) && !fileName(path).contains { ":{".contains($0) }
            && (isURL(text) || URLScheme.of(WhiteSpace.trimmed(text)) == nil)
    }

    /// Whether a text ends like the name of a file that is no picture.
    static func isOtherFile(_ text: String) -> Bool {
        let name = fileName(text)
        guard let dot = name.lastIndex(of: ".") else { return false }
        return otherExtensions.contains(WhiteSpace.trimmed(name[name.index(after: dot)...].lowercased()))
    }

    /// The extensions of films, sounds, documents and archives.
    private static let otherExtensions: Set = [
        "mp4", "m4v", "mov", "avi", "mkv", "webm", "ogv", "mpg", "mpeg", "mp3", "m4a", "wav", "ogg", "flac", "m3u8",
        "pdf", "txt", "md", "csv", "json", "xml", "html", "htm", "doc", "docx", "zip", "tar", "gz",
    ]

    /// The text after the last slash, without the query.
    static func fileName(_ address: String) -> Substring {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
    }
}

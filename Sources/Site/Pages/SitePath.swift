/// The paths of the site's files, relative to the site, and the links to them.
package enum SitePath {
    package static let index = "index.html"
    package static let feed = "feed.xml"
    package static let status = "status.json"
    /// The script that tells open pages the progress of a live build.
    package static let live = "status.js"
    /// The page about photos that need attention, for the person who maintains the list.
    static let statusPage = "status.html"
    /// The index of the record files, for the scripts. Its name has no hash, unlike the names in it, because otherwise
    /// every page would change whenever a photo changes.
    package static let photoIndex = "photos.js"
    /// The list of all photos in sites of earlier versions.
    static let formerSearchList = "search.js"

    /// The path of a record file, which is named by the hash of its content.
    static func shard(_ digest: String) -> String { "assets/photos.\(digest).js" }

    /// The path of the search list, which is named by the hash of its content.
    static func searchList(_ digest: String) -> String { "assets/search.\(digest).js" }

    /// The list of pages for search engines.
    static let sitemap = "sitemap.xml"
    /// The rules for crawlers, which name the sitemap.
    static let robots = "robots.txt"

    /// The list of files of earlier publications that stay for pages in caches.
    static let retained = "kept.json"

    package static func photo(_ slug: String) -> String { "photo/\(slug).html" }

    /// The path of a page of an album. No slug contains two consecutive hyphens, so the path of a further page is never
    /// that of another album.
    /// - Parameter page: the number of the page, counted from 1.
    static func album(_ slug: String, page: Int = 1) -> String {
        page == 1 ? "album/\(slug).html" : "album/\(slug)--\(page).html"
    }

    /// - Parameter number: the number of a page of the index, counted from 1.
    static func page(_ number: Int) -> String { number == 1 ? index : "page/\(number).html" }

    /// The fragment that identifies a photo on a page that lists it.
    static func anchor(_ slug: String) -> String { "p-" + slug }

    /// The link to a picture.
    /// - Parameters:
    ///   - path: the path relative to the site, or the URL of a picture that is elsewhere.
    ///   - root: the path or URL of the site, as seen from the page.
    static func link(toPicture path: String, root: String) -> String {
        // The paths of a site have no colon.
        path.utf8.contains(UInt8(ascii: ":")) ? path : root + encoded(path)
    }

    /// A path or fragment as it is written in a link (RFC 3986 §3.3): all bytes except unreserved characters and "/"
    /// are percent-encoded.
    static func encoded(_ path: String) -> String {
        guard !path.utf8.allSatisfy(isUnreserved) else { return path }
        var link: [UInt8] = []
        for byte in path.utf8 {
            if isUnreserved(byte) {
                link.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                link.append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: link, as: UTF8.self)
    }

    /// Whether a page can be named `slug`: it must be a single path component that is not hidden.
    static func isUsable(slug: String) -> Bool {
        !slug.isEmpty && !slug.hasPrefix(".") && !slug.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// Whether a character is an ASCII letter or digit, "-" or "_".
    static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }

    /// Whether the path is that of a record file or a search list.
    static func isDataFile(_ path: String) -> Bool {
        (path.hasPrefix("assets/photos.") || path.hasPrefix("assets/search.")) && path.hasSuffix(".js")
    }

    /// Whether a part of a name is 16 hexadecimal digits, as in the names of pictures and temporary folders.
    static func isHash(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Whether the name of a file contains a hash of its content, so that no file with other content ever has that
    /// name: "images/0123456789abcdef-400.jpg", "assets/gallery.0123456789abcdef.css". Pages are excluded, because a
    /// slug could look like a hash.
    package static func isNamedByContent(_ path: String) -> Bool {
        !path.hasSuffix(".html") && path.split(separator: "/", omittingEmptySubsequences: false).count == 2
            && path.split { "/-.".contains($0) }.contains(where: isHash)
    }

    /// Whether a file has the name of a picture: "0123456789abcdef-400.jpg", or with ".png" or ".webp".
    package static func isPicture(_ file: String) -> Bool {
        let stem = file.removing(suffix: ".jpg") ?? file.removing(suffix: ".png") ?? file.removing(suffix: ".webp")
        guard let stem else { return false }
        let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, isHash(parts[0]), let width = Int(parts[1]) else { return false }
        return width > 0 && String(width) == parts[1]
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// The paths of the site's files, relative to the site, and the links to them.
package enum SitePath {
    package static let index = "index.html"
    package static let feed = "feed.xml"
    static let status = "status.json"
    /// While a site is built under the eyes of its readers.
    package static let live = "status.js"
    /// The photos that need attention, for whoever keeps the list.
    static let statusPage = "status.html"
    /// The index of the files of records, for the scripts. Its name has no hash, unlike those of the files that it
    /// names: every page would change with any photo.
    package static let photoIndex = "photos.js"
    /// The list of all photos in sites of earlier versions.
    static let formerList = "search.js"

    /// The records of some photos, named by the hash of the file.
    static func shard(_ digest: String) -> String { "assets/photos.\(digest).js" }

    /// What the search finds photos by.
    static func searchList(_ digest: String) -> String { "assets/search.\(digest).js" }

    /// For search engines.
    static let sitemap = "sitemap.xml"
    static let robots = "robots.txt"

    /// The files of earlier publications that stay for pages in caches.
    static let kept = "kept.json"

    static func photo(_ slug: String) -> String { "photo/\(slug).html" }

    /// The first page of an album, or a further one. No slug has two hyphens in a row, so none of these is another
    /// album's.
    /// - Parameter page: From 1.
    static func album(_ slug: String, page: Int = 1) -> String {
        page == 1 ? "album/\(slug).html" : "album/\(slug)--\(page).html"
    }

    /// - Parameter number: Of a page of the index, from 1.
    static func page(_ number: Int) -> String { number == 1 ? index : "page/\(number).html" }

    /// The fragment that finds a photo on a page that lists it.
    static func anchor(_ slug: String) -> String { "p-" + slug }

    /// A path or fragment as it stands in a link (RFC 3986 §3.3): all but unreserved characters and "/" as %XX.
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

    /// Whether `slug` may be the name of a page: one part of a path, not hidden.
    static func isUsable(slug: String) -> Bool {
        !slug.isEmpty && !slug.hasPrefix(".") && !slug.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// A letter or digit of ASCII, "-" or "_".
    static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }

    /// Whether the path is that of a file of records or of the list for the search.
    static func isDataFile(_ path: String) -> Bool {
        (path.hasPrefix("assets/photos.") || path.hasPrefix("assets/search.")) && path.hasSuffix(".js")
    }

    /// Whether a part of a name is 16 hexadecimal digits, as those of pictures and of temporary folders are.
    static func isHash(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Whether the name of a file holds a hash of what is in it, so that no later file ever has that name:
    /// "images/0123456789abcdef-400.jpg", "assets/gallery.0123456789abcdef.css". The name of a page is made from words.
    package static func isNamedByContent(_ path: String) -> Bool {
        !path.hasSuffix(".html") && path.split(separator: "/", omittingEmptySubsequences: false).count == 2
            && path.split { "/-.".contains($0) }.contains(where: isHash)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

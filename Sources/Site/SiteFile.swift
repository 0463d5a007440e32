/// A file of the site that is made from the content: a page, an asset, the feed or status.json.
package struct SiteFile: Hashable, Sendable {
    /// Relative to the site, with "/" between its parts: "photo/lighthouse.html".
    package let path: String
    package let bytes: [UInt8]
    /// Of a page's data, where it has one: see `PageKeys`.
    package let key: String?

    package init(path: String, bytes: [UInt8], key: String? = nil) {
        self.path = path
        self.bytes = bytes
        self.key = key
    }
}

/// A file of the site that is too large to be held: it is made piece by piece, as it is written.
package struct SiteStream {
    package let path: String
    package let key: String
    /// Calls its argument with one piece after the other.
    let make: (([UInt8]) throws(SiteError) -> Void) throws(SiteError) -> Void

    /// All of it in memory.
    var whole: SiteFile {
        var bytes: [UInt8] = []
        do {
            try make { bytes += $0 }
        } catch {
            preconditionFailure("only what takes the pieces can fail, and this does not")
        }
        return SiteFile(path: path, bytes: bytes, key: key)
    }
}

/// What a renderer gives: a file, or the word that one is as it was.
package enum SitePiece {
    case file(SiteFile)
    case stream(SiteStream)
    /// The page at this path has the same data as before, and was not made again.
    case current(path: String)
}

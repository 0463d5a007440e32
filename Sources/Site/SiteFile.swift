/// A file of the site that is made from the content: a page, an asset, the feed or status.json.
package struct SiteFile: Hashable, Sendable {
    /// The path relative to the site, with "/" between its parts: "photo/lighthouse.html".
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

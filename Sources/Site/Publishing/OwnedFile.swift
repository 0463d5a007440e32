package import PhotoModel

/// A file in the output folder that is ours.
package struct OwnedFile: Hashable, Codable, Sendable {
    /// Of its bytes. Nil for a picture, whose name says what is in it, and for a file of which it is not known.
    package var digest: Digest?
    package var bytes: Int64
    /// Of a page's data, where it has one: see `PageKeys`.
    package var key: Digest?

    package init(digest: Digest?, bytes: Int64, key: Digest? = nil) {
        self.digest = digest
        self.bytes = bytes
        self.key = key
    }
}

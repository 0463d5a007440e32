/// A file in the output folder that is ours, as the site's publisher and the ledger know it. Of a large gallery there
/// are several a photo: what only pages have is held apart.
package struct OwnedFile: Hashable, Sendable {
    package let bytes: Int64
    private let made: Making?

    /// Facts about a file beyond its size.
    private final class Making: Hashable, Sendable {
        let digest: Digest?
        let key: Digest?

        init(digest: Digest?, key: Digest?) {
            self.digest = digest
            self.key = key
        }

        static func == (left: Making, right: Making) -> Bool {
            left === right || (left.digest == right.digest && left.key == right.key)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(digest)
            hasher.combine(key)
        }
    }

    package init(digest: Digest?, bytes: Int64, key: Digest? = nil) {
        self.bytes = bytes
        made = digest == nil && key == nil ? nil : Making(digest: digest, key: key)
    }

    /// A file that is about to appear, of which it is not known yet whether it came to that.
    /// - Parameter before: the digest of what stands in its place until then, where that is one of ours.
    package init(claiming bytes: Int64, before: Digest?) {
        // The word stands in the place of the key, which such a file does not have.
        self.init(digest: nil, bytes: bytes, key: before)
    }

    /// The digest of the earlier file in the place of one that may not have appeared.
    package var digestBefore: Digest? { digest == nil ? made?.key : nil }

    /// The digest of the bytes. Nil for a picture, whose name is a digest already, and for a file whose digest is
    /// unknown.
    package var digest: Digest? { made?.digest }

    /// The digest of a page's data, where it has one. While it is the same, so is the page.
    package var key: Digest? { digest == nil ? nil : made?.key }
}

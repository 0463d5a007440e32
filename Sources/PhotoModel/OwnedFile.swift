/// A file in the output folder that is ours, as the site's publisher and the ledger know it. Of a large gallery there
/// are several a photo: what only pages have is held apart.
package struct OwnedFile: Hashable, Sendable {
    package let bytes: Int64
    private let made: Making?

    /// What is known of a file beyond its size.
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
        // In the place of the key, which such a file has not.
        self.init(digest: nil, bytes: bytes, key: before)
    }

    /// Of a file that may not have appeared: the digest of what may stand there still.
    package var digestBefore: Digest? { digest == nil ? made?.key : nil }

    /// Of its bytes. Nil for a picture, whose name says what is in it, and for a file of which it is not known.
    package var digest: Digest? { made?.digest }

    /// Of a page's data, where it has one: while that is the same, so is the page.
    package var key: Digest? { digest == nil ? nil : made?.key }
}

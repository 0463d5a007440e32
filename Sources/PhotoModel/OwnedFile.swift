/// A file in the output folder that is ours, as the site's publisher and the ledger know it. Of a large gallery there are
/// several a photo: what only pages have is held apart.
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

    /// Of its bytes. Nil for a picture, whose name says what is in it, and for a file of which it is not known.
    package var digest: Digest? { made?.digest }

    /// Of a page's data, where it has one: while that is the same, so is the page.
    package var key: Digest? { made?.key }
}

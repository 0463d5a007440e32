package import PhotoModel

/// Facts from the header of an original, so that its derivatives can be named without opening it.
package struct OriginalRow: Hashable, Sendable {
    package let sha256: Digest
    /// JSON of the picture's facts, as Imaging gives them.
    package let facts: String

    package init(sha256: Digest, facts: String) {
        self.sha256 = sha256
        self.facts = facts
    }
}

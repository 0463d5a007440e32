package import PhotoModel

/// What is remembered of an output folder: what it was made from, and which files in it are ours.
package struct SiteRow: Hashable, Sendable {
    /// Absolute path of the output folder.
    package let output: String
    /// Digest of everything that its pages show.
    package var content: Digest
    /// Digest of the templates and of the program's version.
    package var templates: Digest
    /// The time of the last change, seconds since 1970.
    package var updated: Int64
    /// Path in the output folder → digest of the file.
    package var owned: [String: OwnedRow]

    package init(output: String, content: Digest, templates: Digest, updated: Int64, owned: [String: OwnedRow]) {
        self.output = output
        self.content = content
        self.templates = templates
        self.updated = updated
        self.owned = owned
    }
}

/// A file that we wrote: its bytes' digest where the name does not already say it, and its size.
package struct OwnedRow: Hashable, Sendable {
    package let digest: Digest?
    package let bytes: Int64

    package init(digest: Digest?, bytes: Int64) {
        self.digest = digest
        self.bytes = bytes
    }
}

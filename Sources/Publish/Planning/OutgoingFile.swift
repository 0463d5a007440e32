package import PhotoModel

/// A file of the site that the target must have.
package struct OutgoingFile: Hashable, Sendable {
    /// The path in the site and at the target.
    package let path: String
    /// The absolute path of the file on this machine.
    package let source: String
    package let bytes: Int64
    /// The SHA-256 of the content; nil for a file whose name has a hash of the content.
    package let digest: Digest?
    /// Whether the target has no file at the path.
    package var isNew = true

    package var phase: PublishPhase { PublishPhase(path, isNew: isNew) }
}

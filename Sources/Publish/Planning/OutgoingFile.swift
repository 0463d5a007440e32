package import PhotoModel

/// A file of the site that a target is to have.
package struct OutgoingFile: Hashable, Sendable {
    /// In the site, and at the target.
    package let path: String
    /// The absolute path of the file on this machine.
    package let source: String
    package let bytes: Int64
    /// Of the content; nil for a file whose name tells what is in it.
    package let digest: Digest?
    /// Whether the target has nothing at the path.
    package var isNew = true

    package var phase: PublishPhase { PublishPhase(path, isNew: isNew) }
}

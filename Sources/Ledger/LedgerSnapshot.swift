package import PhotoModel

/// The whole memory of the last builds, read in one pass: what a plan is made from.
package struct LedgerSnapshot: Sendable {
    /// By `Source.key`.
    package var sources: [String: SourceRow] = [:]
    /// By digest: the facts of each original, as JSON.
    package var originals: [Digest: String] = [:]
    /// By the photo's key.
    package var photos: [String: PhotoRow] = [:]
    /// Album key → slug.
    package var albums: [String: String] = [:]

    package init() {}
}

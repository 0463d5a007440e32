package import PhotoModel

/// The whole memory of the last builds, read in one pass: what a plan is made from.
package struct LedgerSnapshot: Sendable {
    /// By the digest of `Source.key`.
    package var sources: [Digest: SourceRow] = [:]
    /// By the same, for manifests: where redirects led.
    package var locations: [Digest: String] = [:]
    /// By digest: the facts of each original, as JSON.
    package var originals: [Digest: String] = [:]
    /// By the photo's key.
    package var photos: [Digest: PhotoRow] = [:]
    /// Album key → slug.
    package var albums: [String: String] = [:]
    /// Goes up whenever a photo's row comes to look different.
    package var revision: Int64 = 0

    package init() {}
}

/// One thing that is learnt during a build.
package enum LedgerEntry: Sendable {
    case source(SourceRow)
    /// Where redirects of an address led; nil for nowhere.
    case location(Digest, String?)
    /// How a photo stands, and the facts of its original; nil where they are recorded already.
    case photo(PhotoRow, OriginalRow?)
}

package import PhotoModel

/// The whole memory of the last builds, read in one pass: what a plan is made from.
package struct LedgerSnapshot: Sendable {
    /// Rows of addresses, by the digest of `Source.key`.
    package var sources: [Digest: SourceRow] = [:]
    /// Targets of redirects of manifests, by the same digest.
    package var locations: [Digest: String] = [:]
    /// The facts of each original, by its digest.
    package var originals: [Digest: OriginalRow] = [:]
    /// Rows of photos, by the photo's key.
    package var photos: [Digest: PhotoRow] = [:]
    /// Album key → slug.
    package var albums: [String: String] = [:]
    /// Goes up whenever a photo's row comes to look different.
    package var revision: Int64 = 0

    package init() {}
}

/// One change of the ledger during a build.
package enum LedgerEntry: Sendable {
    case source(SourceRow)
    /// The target of an address's redirects; nil without any.
    case location(Digest, String?)
    /// A photo's state, and the facts of its original; nil if these are recorded already.
    case photo(PhotoRow, OriginalRow?)
}

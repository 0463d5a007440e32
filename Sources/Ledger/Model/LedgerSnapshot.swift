package import PhotoModel

/// The ledger's content after the last builds, except the lists of published files, read in one pass. A plan is made
/// from it.
package struct LedgerSnapshot: Sendable {
    /// The rows of addresses, by the digest of `Source.key`.
    package var sources: [Digest: SourceRow] = [:]
    /// The URLs that the redirects of manifests led to, by the same digest.
    package var locations: [Digest: String] = [:]
    /// The facts of each original, by its digest.
    package var originals: [Digest: OriginalRow] = [:]
    /// The rows of photos, by the photo's key.
    package var photos: [Digest: PhotoRow] = [:]
    /// The slugs of albums, by the album's key.
    package var albums: [String: String] = [:]
    /// The revision of the gallery. It is increased whenever a photo's row changes in a way that its pages show.
    package var revision: Int64 = 0

    package init() {}
}

/// One change of the ledger during a build.
package enum LedgerEntry: Sendable {
    case source(SourceRow)
    /// The URL that the redirects of an address led to; nil if there were none.
    case location(Digest, String?)
    /// The facts of an original whose photo is recorded later.
    case original(OriginalRow)
    /// A photo's state, and the facts of its original; nil if these are already recorded.
    case photo(PhotoRow, OriginalRow?)
}

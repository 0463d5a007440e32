package import PhotoModel

/// How a fetch ended.
package enum FetchOutcome: Hashable, Sendable {
    /// The server (304) or the file's stamp says that the original is still the known one. Validators are refreshed.
    case unchanged(KnownOriginal)
    /// The original arrived and is in the store. `wasSame`: its bytes are those that were known already.
    case stored(KnownOriginal, wasSame: Bool)
    /// The photo can't be had; this is its failure alone.
    case failed(Failure)
    /// This machine could not do its part (disk full, out of memory): no photo's fault, and it will hit them all.
    case storeFailed(DownloadsError)
    case cancelled
}

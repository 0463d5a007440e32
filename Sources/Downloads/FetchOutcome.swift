package import PhotoModel

/// The result of a fetch.
package enum FetchOutcome: Hashable, Sendable {
    /// The server (304) or the file's stamp says that the original is still the known one, and validators are
    /// refreshed; or it is still fresh, nobody was asked, and it is exactly what was known.
    case unchanged(CachedOriginal)
    /// The original arrived and is in the store. `wasSame`: its bytes are those that were known already.
    case stored(CachedOriginal, wasSame: Bool)
    /// The check of the options refused the content: it came now, or the server says that it is still the content that
    /// was refused before. Nothing of it is stored.
    case refused(RefusedContent)
    /// The photo can't be fetched. The failure is that of this photo alone.
    case failed(Failure)
    /// The server's Retry-After is longer than a build waits, and no request may be sent before that time.
    case postponed(RetryAfter)
    /// This machine could not do its part (disk full, out of memory): no photo's fault, and it will hit them all.
    case storeFailed(DownloadsError)
    case cancelled
}

extension FetchOutcome {
    /// The stored original and its cache metadata, after a success.
    package var known: CachedOriginal? {
        switch self {
        case .unchanged(let known), .stored(let known, _): known
        case .refused, .failed, .postponed, .storeFailed, .cancelled: nil
        }
    }
}

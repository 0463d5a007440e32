package import PhotoModel

/// The result of a fetch.
package enum FetchOutcome: Hashable, Sendable {
    /// The known original is still current. Either the server (304) or the file's stamp has confirmed it, and its
    /// validators are refreshed. Or it is still fresh, no server was contacted, and the value is exactly what was
    /// known.
    case unchanged(CachedOriginal)
    /// The original arrived and is in the store.
    case stored(CachedOriginal)
    /// The content check of the options refused the content. Either it has arrived now, or the server says that it is
    /// still the content that was refused before. Nothing of it is stored.
    case refused(RefusedContent)
    /// The photo can't be fetched. The failure concerns this photo alone.
    case failed(Failure)
    /// The server's `Retry-After` is longer than a build waits, and no request may be sent before that time.
    case postponed(RetryAfter)
    /// This machine could not do its part (disk full, out of memory). No photo is at fault, and all are affected.
    case storeFailed(DownloadsError)
    case cancelled
}

extension FetchOutcome {
    /// The stored original and its cache metadata, if the fetch succeeded.
    package var known: CachedOriginal? {
        switch self {
        case .unchanged(let known), .stored(let known): known
        case .refused, .failed, .postponed, .storeFailed, .cancelled: nil
        }
    }
}

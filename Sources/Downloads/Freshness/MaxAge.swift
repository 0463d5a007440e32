/// How long an original counts as fresh, so that its server is not contacted.
package enum MaxAge: Hashable, Sendable {
    /// As long as the server allows (RFC 9111).
    case auto
    /// As long as this, in whole seconds, since the server last gave it or said that it is unchanged, whatever the
    /// server allows. 0 asks always.
    case fixed(Duration)

    /// Whether the time of the last request matters.
    package var countsFromLastCheck: Bool {
        if case .fixed(let age) = self { age > .zero } else { false }
    }
}

extension CacheMetadata {
    /// - Parameter now: seconds since 1970.
    package func isFresh(at now: Int64, _ maxAge: MaxAge) -> Bool {
        // A check in the future shows that the clock was set back since, and proves nothing.
        guard let validated, validated <= now else { return false }
        return switch maxAge {
        case .auto: freshUntil.map { now < $0 } ?? false
        case .fixed(let duration): now - validated < duration.components.seconds
        }
    }
}

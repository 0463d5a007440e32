/// How long an original counts as fresh, so that its server is not contacted.
package enum MaxAge: Hashable, Sendable {
    /// As long as the server allows (RFC 9111).
    case auto
    /// For this time, in whole seconds, after the server last sent the original or confirmed it, whatever the server
    /// allows. With 0, the server is always asked.
    case fixed(Duration)

    /// Whether the time of the last request matters.
    package var countsFromLastCheck: Bool {
        if case .fixed(let age) = self { age > .zero } else { false }
    }
}

extension CacheMetadata {
    /// Whether the original can be used without a request.
    ///
    /// - Parameter now: the current time in seconds since 1970.
    package func isFresh(at now: Int64, _ maxAge: MaxAge) -> Bool {
        // A check in the future proves nothing: the clock has been set back since.
        guard let validated, validated <= now else { return false }
        return switch maxAge {
        case .auto: freshUntil.map { now < $0 } ?? false
        case .fixed(let duration): now - validated < duration.components.seconds
        }
    }
}

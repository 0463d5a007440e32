/// How long an original counts as fresh, so that its server is not contacted.
package enum MaxAge: Hashable, Sendable {
    /// As long as the server allows (RFC 9111); if it states nothing, for the minimum.
    case server(minimum: MinAge)
    /// For this time, in whole seconds, after the server last sent the original or confirmed it, whatever the server
    /// allows. With 0, the server is always asked.
    case fixed(Duration)

    /// As long as the server allows. If it states nothing, it is always asked.
    package static let auto = MaxAge.server(minimum: .zero)

    /// Whether the time of the last request matters.
    package var countsFromLastCheck: Bool {
        switch self {
        case .server(let minimum): minimum != .zero
        case .fixed(let age): age > .zero
        }
    }
}

/// How long an original counts as fresh if its server does not state for how long it may be used.
package struct MinAge: Hashable, Sendable {
    /// The time, in whole seconds, for an original with an ETag or a date, which is only sent again if it has changed.
    let withValidators: Duration
    /// The time, in whole seconds, for an original without them, which is sent again as a whole.
    let withoutValidators: Duration

    package static let zero = MinAge(.zero)

    /// 10 minutes with validators, a day without.
    package static let auto = MinAge(withValidators: .seconds(600), withoutValidators: .seconds(86_400))

    /// - Parameter duration: the time for all originals.
    package init(_ duration: Duration) { self.init(withValidators: duration, withoutValidators: duration) }

    private init(withValidators: Duration, withoutValidators: Duration) {
        self.withValidators = withValidators
        self.withoutValidators = withoutValidators
    }
}

extension CacheMetadata {
    /// Whether the original can be used without a request.
    ///
    /// - Parameter now: the current time in seconds since 1970.
    package func isFresh(at now: Int64, _ maxAge: MaxAge) -> Bool {
        // A check in the future proves nothing: the clock has been set back since.
        guard let validated, validated <= now else { return false }
        switch maxAge {
        case .server(let minimum):
            if let freshUntil { return now < freshUntil }
            guard freshness == Freshness() else { return false }
            let hasValidators = etag != nil || lastModified != nil
            let age = hasValidators ? minimum.withValidators : minimum.withoutValidators
            return now - validated < age.components.seconds
        case .fixed(let duration): return now - validated < duration.components.seconds
        }
    }
}

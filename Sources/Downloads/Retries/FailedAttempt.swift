internal import PhotoModel

/// A failed attempt at a request: what decides whether, and when, it is tried again.
struct FailedAttempt {
    let failure: Failure
    /// What the failure says about the host; nil if it concerns the photo alone.
    let hostFailure: HostFailure?
    let began: SuspendingClock.Instant
    /// The value of `Retry-After` in seconds; nil if there was none.
    let retryAfter: Int64?
    /// When the answer arrived, seconds since 1970.
    let answeredAt: Int64
    /// Whether the host is sending another photo meanwhile.
    let isServing: Bool

    var requestedPause: Duration? { retryAfter.map { Duration.seconds($0) } }

    /// The server's `Retry-After` to record; nil if there was none.
    var retryAfterDate: RetryAfter? {
        guard case .httpStatus(let status) = failure, let retryAfter, retryAfter > 0 else { return nil }
        return RetryAfter(status: status, until: answeredAt + retryAfter)
    }

    /// 429 means too many requests. 503 may mean the same, as nginx sends it by default, or that the host is down.
    var isThrottling: Bool { hostFailure == .rejected && [.httpStatus(429), .httpStatus(503)].contains(failure) }

    /// Whether any other request would have failed in the same way, so that the host's failures in a row decide how
    /// long all requests wait, and not those of the photo.
    var concernsHost: Bool { hostFailure == .unreachable || failure == .httpStatus(429) }
}

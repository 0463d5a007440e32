internal import PhotoModel

/// A failed attempt at a request, with the facts that decide whether and when the request is tried again.
struct FailedAttempt {
    let failure: Failure
    /// The failure of the host that this failure shows; nil if it concerns the photo alone.
    let hostFailure: HostFailure?
    let began: SuspendingClock.Instant
    /// The value of `Retry-After` in seconds; nil if there was none.
    let retryAfter: Int64?
    /// When the answer arrived, in seconds since 1970.
    let answeredAt: Int64
    /// Whether the host was sending another photo at the same time.
    let isServing: Bool

    var requestedPause: Duration? { retryAfter.map { Duration.seconds($0) } }

    /// The server's `Retry-After` as it is recorded; nil if there was none.
    var retryAfterDate: RetryAfter? {
        guard case .httpStatus(let status) = failure, let retryAfter, retryAfter > 0 else { return nil }
        return RetryAfter(status: status, until: answeredAt + retryAfter)
    }

    /// Whether the host probably had too many requests. 429 says so. 503 can mean the same, as nginx sends it by
    /// default, or that the host is down.
    var isThrottling: Bool { hostFailure == .rejected && [.httpStatus(429), .httpStatus(503)].contains(failure) }

    /// Whether any other request would have failed in the same way. The wait of all requests then depends on the host's
    /// failures in a row, and not on those of the photo.
    var concernsHost: Bool { hostFailure == .unreachable || failure == .httpStatus(429) }
}

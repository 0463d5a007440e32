internal import PhotoModel

/// A transfer that failed, as far as it matters for the next.
struct FailedAttempt {
    let failure: Failure
    /// What the failure says about the host; nil if it concerns the photo alone.
    let hostFailure: HostFailure?
    let began: SuspendingClock.Instant
    /// For how long the server wants to be left alone, in seconds; nil if it did not say.
    let retryAfter: Int64?
    /// When the answer arrived, seconds since 1970.
    let heard: Int64
    /// Whether the host is sending another photo meanwhile.
    let isServing: Bool

    var asked: Duration? { retryAfter.map { Duration.seconds($0) } }

    /// The pause to record; nil if the server asked for none.
    var wait: RetryAfter? {
        guard case .httpStatus(let status) = failure, let retryAfter, retryAfter > 0 else { return nil }
        return RetryAfter(status: status, until: heard + retryAfter)
    }

    /// 429 means that the host is asked too often. 503 may mean that, and is all that many servers say (nginx), or that
    /// the host is down.
    var isThrottling: Bool { hostFailure == .rejected && [.httpStatus(429), .httpStatus(503)].contains(failure) }

    /// Whether any other request would have failed in the same way, so that the host's failures in a row decide how
    /// long all wait, and not those of the photo.
    var concernsAll: Bool { hostFailure == .unreachable || failure == .httpStatus(429) }
}

internal import PhotoModel

/// The rules for which attempts count against a photo, and for the other requests to a host that failed. `Failure`
/// knows which failures are transient, and `Backoff` knows how long a request waits. `TransferSchedule.retry` applies
/// all of them.
struct RetryPolicy {
    /// The number of attempts at a photo after the first.
    let retries: Int

    /// The longest pause that a build waits for. If a server asks for a longer one, only a later build contacts it
    /// again.
    static let longestWait = Duration.seconds(60)

    /// The most attempts at one address that are throttled while its host serves others. They are in addition to the
    /// attempts that the user allows.
    private static let maxUncountedAttempts = 10

    /// Whether the attempt does not count against the photo, because the host had too many requests at once and serves
    /// others.
    ///
    /// - Parameters:
    ///   - throttled: the number of earlier attempts at the photo that did not count.
    ///   - inRow: the number of the host's failures in a row; nil if this one ran at the same time as a counted one.
    ///   - hostHasServed: whether the host has answered without a rejection since it first failed.
    ///   - hostIsLimited: whether fewer requests than usual may run at once, after earlier rejections.
    func isUncounted(
        _ failed: FailedAttempt, throttled: Int, inRow: Int?, hostHasServed: Bool, hostIsLimited: Bool
    ) -> Bool {
        guard retries > 0, failed.isThrottling, throttled < Self.maxUncountedAttempts else { return false }
        guard !failed.isServing, let inRow else { return true }
        let isAtLimit = failed.failure == .httpStatus(429) || hostIsLimited
        return inRow < HostFailure.rejected.pauseThreshold && hostHasServed && isAtLimit
    }

    /// Whether all requests to the host wait as long as this one. A `Retry-After` takes precedence. If it is 0, it is
    /// ignored after several failures in a row.
    func pausesHost(after failed: FailedAttempt, inRow: Int) -> Bool {
        guard failed.retryAfter ?? 0 == 0 else { return false }
        if failed.failure == .httpStatus(429), failed.retryAfter == nil { return true }
        return retries > 0 && inRow >= failed.hostFailure?.pauseThreshold ?? .max
    }

    /// The circuit breaker: decides whether the host is not contacted again in this build.
    ///
    /// - Returns: the outcome of all further requests to the host; nil if it is still contacted.
    func outcomeForHost(after failed: FailedAttempt, inRow: Int?) -> FetchOutcome? {
        if let wait = failed.retryAfterDate, let asked = failed.requestedPause, asked > Self.longestWait {
            return .postponed(wait)
        }
        // A host that is sending a photo works, however many other requests fail at the same time.
        guard let limit = failed.hostFailure?.circuitBreakerThreshold, let inRow, inRow >= limit, !failed.isServing
        else {
            return nil
        }
        return .failed(failed.failure)
    }
}

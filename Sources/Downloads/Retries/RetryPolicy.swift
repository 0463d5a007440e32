internal import PhotoModel

/// The rules for attempts that count against a photo, and for the other requests to a host that failed. `Failure`
/// knows which failures are transient, `Backoff` how long a request waits, and `TransferSchedule.retry` applies all of
/// them.
struct RetryPolicy {
    /// The attempts that a photo has after its first.
    let retries: Int

    /// A server that wants to be left alone for longer is not waited for: the next build asks again.
    static let longestWait = Duration.seconds(60)

    /// The most attempts at one address that are throttled while its host serves others, besides the attempts that the
    /// user allows.
    private static let maxUncountedAttempts = 10

    /// Whether the attempt does not count against the photo, because the host had too many requests at once and serves
    /// others.
    ///
    /// - Parameters:
    ///   - throttled: the number of attempts at the photo that did not count.
    ///   - inRow: the host's failures in a row; nil for one that ran beside another.
    ///   - hostIsLimited: whether fewer requests than usual may run at once, after earlier rejections.
    func isUncounted(
        _ failed: FailedAttempt, throttled: Int, inRow: Int?, hostHasServed: Bool, hostIsLimited: Bool
    ) -> Bool {
        guard retries > 0, failed.isThrottling, throttled < Self.maxUncountedAttempts else { return false }
        guard !failed.isServing, let inRow else { return true }
        let isAtLimit = failed.failure == .httpStatus(429) || hostIsLimited
        return inRow < HostFailure.rejected.pauseThreshold && hostHasServed && isAtLimit
    }

    /// Whether all requests to the host wait as long as this one. A `Retry-After` takes precedence; if it is 0, it is
    /// ignored after several failures in a row.
    func pausesHost(after failed: FailedAttempt, inRow: Int) -> Bool {
        guard failed.retryAfter ?? 0 == 0 else { return false }
        if failed.failure == .httpStatus(429), failed.retryAfter == nil { return true }
        return retries > 0 && inRow >= failed.hostFailure?.pauseThreshold ?? .max
    }

    /// The circuit breaker: decides whether the host is left alone for the rest of the build.
    ///
    /// - Returns: the outcome of all that would be asked of the host after this failure; nil if the host is still
    ///   asked.
    func outcomeForHost(after failed: FailedAttempt, inRow: Int?) -> FetchOutcome? {
        if let wait = failed.retryAfterDate, let asked = failed.requestedPause, asked > Self.longestWait {
            return .postponed(wait)
        }
        // A host that is sending a photo works, however many other requests fail meanwhile.
        guard let limit = failed.hostFailure?.circuitBreakerThreshold, let inRow, inRow >= limit, !failed.isServing
        else {
            return nil
        }
        return .failed(failed.failure)
    }
}

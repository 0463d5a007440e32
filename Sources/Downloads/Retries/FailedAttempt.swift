internal import PhotoModel

/// A transfer that failed, as far as it matters for the next.
struct FailedAttempt {
    let failure: Failure
    /// What the failure says about the host; nil if it concerns the photo alone.
    let fault: HostFault?
    let began: SuspendingClock.Instant
    /// For how long the server wants to be left alone, in seconds; nil if it did not say.
    let retryAfter: Int64?
    /// When the answer arrived, seconds since 1970.
    let heard: Int64
    /// Whether the host is sending another photo meanwhile.
    let isServing: Bool
    /// Whether the host limits how often it may be asked, by all that is known.
    var isCrowded = false
    /// Whether the host has served somebody since it first failed.
    var hasServed = false

    var asked: Duration? { retryAfter.map { Duration.seconds($0) } }

    /// The pause to record; nil if the server asked for none.
    var wait: RetryAfter? {
        guard case .httpStatus(let status) = failure, let retryAfter, retryAfter > 0 else { return nil }
        return RetryAfter(status: status, until: heard + retryAfter)
    }

    /// The host said that it is asked too often: with 429, or with 503, by which many servers mean that where they
    /// turn most requests away.
    var isThrottled: Bool {
        fault == .refusal && (failure == .httpStatus(429) || failure == .httpStatus(503) && isCrowded)
    }

    /// Whether all that ask the host are to wait as long as the photo. Where it said for how long, they wait for
    /// that; "not at all" is not believed for ever.
    ///
    /// - Parameter place: among the refusals of the host; nil if this one tells nothing new.
    func pausesHost(_ place: Int?) -> Bool {
        guard let fault, fault == .refusal, retryAfter ?? 0 == 0, let place else { return false }
        return isThrottled && retryAfter == nil || place >= fault.leastToPause
    }

    /// The number of consecutive failures, which decides the backoff.
    ///
    /// - Parameters:
    ///   - place: among the refusals of the host; nil if this one tells nothing new.
    ///   - request: what was asked, not counting this.
    ///   - retries: how many the user allows.
    func number(_ place: Int?, of request: TransferRequest, retries: Int) -> Int {
        let all = min(request.failures + request.throttled, retries) + 1
        guard isThrottled, pausesHost(place), let place else { return all }
        // A host that serves somebody now and then is not asked less and less often, whoever is the one too many. 429
        // may be of one that serves nobody before the minute is over; 503 also says that it is down.
        return failure == .httpStatus(429) ? min(place, retries + 1) : min(place, all)
    }

    /// Whether it is no try of the photo that failed: there were too many at once, and the host serves others
    /// meanwhile, or did a moment ago. `TransferSchedule` limits how often.
    func isFree(_ place: Int?) -> Bool {
        if isServing && fault == .refusal && failure == .httpStatus(503) { return true }
        return isThrottled && (isServing || place.map { hasServed && $0 < HostFault.refusal.leastToPause } ?? true)
    }
}

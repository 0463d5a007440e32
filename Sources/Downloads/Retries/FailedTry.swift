internal import PhotoModel

/// A transfer that failed, as far as it matters for the next.
struct FailedTry {
    let failure: Failure
    /// What it says of the host; nil where it is the photo's failure alone, or that of a host that was redirected to.
    let fault: HostFault?
    let began: SuspendingClock.Instant
    /// For how long the server wants to be left alone, in seconds; nil if it did not say.
    let retryAfter: Int64?
    /// When it said so, seconds since 1970.
    let heard: Int64
    /// Whether the host is sending another photo meanwhile.
    let isServing: Bool
    /// Whether the host limits how often it may be asked, by all that is known.
    var isCrowded = false

    var asked: Duration? { retryAfter.map { Duration.seconds($0) } }

    /// What is to be remembered of that; nil if there is nothing.
    var wait: ServerWait? {
        guard case .httpStatus(let status) = failure, let retryAfter, retryAfter > 0 else { return nil }
        return ServerWait(status: status, until: heard + retryAfter)
    }

    /// The host said that it is asked too often: with 429, or with 503, by which many servers mean that where they turn most
    /// requests away.
    var isThrottled: Bool {
        fault == .refusal && (failure == .httpStatus(429) || failure == .httpStatus(503) && isCrowded)
    }

    /// Whether all that ask the host are to wait as long as the photo. Where it said for how long, they wait for that.
    ///
    /// - Parameter place: among the refusals of the host; nil if this one tells nothing new.
    func pausesHost(_ place: HostStandings.Place?) -> Bool {
        guard let fault, fault == .refusal, retryAfter == nil, let place else { return false }
        return isThrottled || place.number >= fault.leastToPause
    }

    /// Whether it is no try of the photo that failed: there were too many at once, and another of them has paid for that,
    /// or the host serves them one after the other. `TransferSchedule` limits how often.
    func isFree(_ place: HostStandings.Place?) -> Bool { isThrottled && (isServing || place?.isNewRow ?? true) }
}

internal import PhotoModel

/// How the hosts of a build behave: which of them are to be asked later, and which not at all any more.
struct HostStandings {
    private struct Standing {
        /// In a row, those that ran side by side counted as one.
        var failures = 0
        var lastCounted: SuspendingClock.Instant?
        var heldUntil: SuspendingClock.Instant?
        var givenUp: Failure?
    }

    private var standings: [String: Standing] = [:]

    /// So often in a row a host may fail to be found, reached, or to say a word, before it is left alone.
    static let mostFailures = 5

    /// Why the host is left alone for the rest of the build; nil for one that is not.
    func givenUp(_ host: String) -> Failure? { standings[host]?.givenUp }

    /// Until when nothing new is asked of the host; nil if that time is over or there was none.
    func heldUntil(_ host: String, now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        standings[host]?.heldUntil.flatMap { $0 > now ? $0 : nil }
    }

    mutating func answered(_ host: String) {
        guard standings[host] != nil else { return }
        standings[host]?.failures = 0
    }

    mutating func hold(_ host: String, until moment: SuspendingClock.Instant) {
        let held = standings[host]?.heldUntil
        standings[host, default: Standing()].heldUntil = held.map { max($0, moment) } ?? moment
    }

    /// - Parameter began: when the try did. One that began before the last failure was counted tells nothing new.
    /// - Returns: how many failures there have been in a row, if this is one more.
    mutating func failed(
        _ host: String, _ failure: Failure, began: SuspendingClock.Instant, now: SuspendingClock.Instant
    ) -> Int? {
        var standing = standings[host] ?? Standing()
        if let last = standing.lastCounted, began < last { return nil }
        standing.failures += 1
        standing.lastCounted = now
        if standing.failures >= Self.mostFailures { standing.givenUp = failure }
        standings[host] = standing
        return standing.failures
    }
}

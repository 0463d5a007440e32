internal import PhotoModel

/// How the hosts of a build behave: which of them are to be asked later, and which not at all any more.
struct HostStandings {
    /// Failures of one kind in a row, those that ran side by side counted as one.
    private struct Run {
        var count = 0
        var lastCounted: SuspendingClock.Instant?
    }

    private struct Standing {
        var silences = Run()
        var refusals = Run()
        /// By how many it turned away more requests than it served, lately.
        var excess = 0
        /// How many of its requests may run at once; nil for as many as the user allows.
        var pace: Int?
        /// How many it answered since `pace` was changed, or since it turned most away.
        var served = 0
        /// It has answered somebody since it first failed.
        var hasServed = false
        var heldUntil: SuspendingClock.Instant?
        var leftAlone: FetchOutcome?
    }

    private var standings: [String: Standing] = [:]

    /// A host that has turned away so many more than it served limits how often it may be asked. With less, a part of all
    /// requests may just fail.
    private static let crowd = 15
    /// With more than that it is still at its limit, and is asked by fewer again.
    private static let stillCrowded = 7
    /// With more than that it may be: what it serves is no proof that it can serve more at once.
    private static let doubt = 3
    /// After so many that were served, one more may run at once.
    private static let proof = 10

    /// How many requests to one host may run at once by the user's wish.
    private let perHost: Int

    init(perHost: Int) { self.perHost = max(1, perHost) }

    /// What all that ask the host get for the rest of the build, in place of an answer; nil for one that may be asked.
    func leftAlone(_ host: String) -> FetchOutcome? { standings[host]?.leftAlone }

    /// Until when nothing new is asked of the host; nil if that time is over or there was none.
    func heldUntil(_ host: String, now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        standings[host]?.heldUntil.flatMap { $0 > now ? $0 : nil }
    }

    /// The host has said something.
    ///
    /// - Parameter isRefusal: with it, it did no more than turn the request away for now.
    /// - Returns: whether another number of requests may run at once than before.
    mutating func answered(_ host: String, isRefusal: Bool) -> Bool {
        guard var standing = standings[host] ?? (isRefusal ? Standing() : nil) else { return false }
        let pace = standing.pace
        standing.silences.count = 0
        if isRefusal {
            standing.excess = min(standing.excess + 1, Self.crowd)
            if standing.excess > Self.doubt { standing.served = 0 }
        } else {
            standing.hasServed = true
            standing.refusals.count = 0
            standing.excess = max(standing.excess - 1, 0)
            standing.served += 1
            if let pace = standing.pace, standing.served >= Self.proof {
                standing.served = 0
                standing.pace = pace + 1 < perHost ? pace + 1 : nil
            }
        }
        standings[host] = standing
        return standing.pace != pace
    }

    /// Whether it has answered somebody since it first failed.
    func hasServed(_ host: String) -> Bool { standings[host]?.hasServed ?? false }

    /// How many requests to the host may run at once; nil for as many as the user allows.
    func pace(_ host: String) -> Int? { standings[host]?.pace }

    /// Whether it limits how often it may be asked: it turns most requests away, or has not served enough since.
    func isCrowded(_ host: String) -> Bool {
        standings[host].map { $0.pace != nil || $0.excess >= Self.crowd } ?? false
    }

    /// Half as many requests to the host as before may run at once, from the first time on while it turns most of them away.
    mutating func slowDown(_ host: String) {
        var standing = standings[host] ?? Standing()
        if standing.pace == nil || standing.excess > Self.stillCrowded {
            standing.pace = max((standing.pace ?? perHost) / 2, 1)
            standing.served = 0
        }
        standings[host] = standing
    }

    mutating func hold(_ host: String, until moment: SuspendingClock.Instant) {
        let held = standings[host]?.heldUntil
        standings[host, default: Standing()].heldUntil = held.map { max($0, moment) } ?? moment
    }

    /// What the server itself asked for outlasts what we made of its failures.
    mutating func leaveAlone(_ host: String, answering outcome: FetchOutcome) {
        if case .postponed? = standings[host]?.leftAlone, case .failed = outcome { return }
        standings[host, default: Standing()].leftAlone = outcome
    }

    /// - Parameter began: when the try did. One that began before the last failure was counted tells nothing new.
    /// - Returns: how many of its kind there have been in a row, this one included; nil for one that tells nothing new.
    mutating func failed(
        _ host: String, _ fault: HostFault, began: SuspendingClock.Instant, now: SuspendingClock.Instant
    ) -> Int? {
        let kind: WritableKeyPath<Standing, Run> = fault == .silence ? \.silences : \.refusals
        var standing = standings[host] ?? Standing()
        let last = standing[keyPath: kind].lastCounted
        if let last, began < last { return nil }
        standing[keyPath: kind].count += 1
        standing[keyPath: kind].lastCounted = now
        standings[host] = standing
        return standing[keyPath: kind].count
    }
}

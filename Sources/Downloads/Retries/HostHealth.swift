internal import PhotoModel

/// Tracks how hosts behave in a build: which are paused, and which are not contacted any more.
struct HostHealth {
    /// Failures of one kind in a row, those that ran side by side counted as one.
    private struct Run {
        var count = 0
        var lastCounted: SuspendingClock.Instant?
    }

    private struct Health {
        var silences = Run()
        var refusals = Run()
        /// The number of requests by which refusals have lately exceeded answers.
        var excess = 0
        /// The limit on concurrent requests; nil for the user's limit.
        var concurrencyLimit: Int?
        /// The number of answers since `concurrencyLimit` changed, or since the host last refused most requests.
        var served = 0
        /// Whether the host has answered since it first failed.
        var hasServed = false
        var heldUntil: SuspendingClock.Instant?
        var circuitOpen: FetchOutcome?
    }

    private var healthOfHosts: [String: Health] = [:]

    /// A host that has turned away so many more than it served limits how often it may be asked. With less, a part of
    /// all requests may just fail.
    private static let crowd = 15
    /// With more than that it is still at its limit, and is asked by fewer again.
    private static let stillCrowded = 7
    /// With more than that it may be: what it serves is no proof that it can serve more at once.
    private static let doubt = 3
    /// After so many that were served, one more may run at once.
    private static let proof = 10

    /// The user's limit on concurrent requests to a host.
    private let perHost: Int

    init(perHost: Int) { self.perHost = max(1, perHost) }

    /// The outcome of all further requests to the host in this build; nil while the host may be contacted.
    func circuitOpen(_ host: String) -> FetchOutcome? { healthOfHosts[host]?.circuitOpen }

    /// Until when nothing new is asked of the host; nil if that time is over or there was none.
    func heldUntil(_ host: String, now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        healthOfHosts[host]?.heldUntil.flatMap { $0 > now ? $0 : nil }
    }

    /// The host has said something.
    ///
    /// - Parameter isRefusal: with it, it did no more than turn the request away for now.
    /// - Returns: whether another number of requests may run at once than before.
    mutating func answered(_ host: String, isRefusal: Bool) -> Bool {
        guard var health = healthOfHosts[host] ?? (isRefusal ? Health() : nil) else { return false }
        let concurrencyLimit = health.concurrencyLimit
        health.silences.count = 0
        if isRefusal {
            health.excess = min(health.excess + 1, Self.crowd)
            if health.excess > Self.doubt { health.served = 0 }
        } else {
            health.hasServed = true
            health.refusals.count = 0
            health.excess = max(health.excess - 1, 0)
            health.served += 1
            if let concurrencyLimit = health.concurrencyLimit, health.served >= Self.proof {
                health.served = 0
                health.concurrencyLimit = concurrencyLimit + 1 < perHost ? concurrencyLimit + 1 : nil
            }
        }
        healthOfHosts[host] = health
        return health.concurrencyLimit != concurrencyLimit
    }

    /// Whether it has answered somebody since it first failed.
    func hasServed(_ host: String) -> Bool { healthOfHosts[host]?.hasServed ?? false }

    /// The limit on concurrent requests to the host; nil for the user's limit.
    func concurrencyLimit(_ host: String) -> Int? { healthOfHosts[host]?.concurrencyLimit }

    /// Whether it limits how often it may be asked: it turns most requests away, or has not served enough since.
    func isCrowded(_ host: String) -> Bool {
        healthOfHosts[host].map { $0.concurrencyLimit != nil || $0.excess >= Self.crowd } ?? false
    }

    /// Half as many requests to the host as before may run at once, from the first time on while it turns most of
    /// them away.
    mutating func slowDown(_ host: String) {
        var health = healthOfHosts[host] ?? Health()
        if health.concurrencyLimit == nil || health.excess > Self.stillCrowded {
            health.concurrencyLimit = max((health.concurrencyLimit ?? perHost) / 2, 1)
            health.served = 0
        }
        healthOfHosts[host] = health
    }

    mutating func hold(_ host: String, until moment: SuspendingClock.Instant) {
        let held = healthOfHosts[host]?.heldUntil
        healthOfHosts[host, default: Health()].heldUntil = held.map { max($0, moment) } ?? moment
    }

    /// A pause that the server asked for outlasts our own.
    mutating func leaveAlone(_ host: String, answering outcome: FetchOutcome) {
        if case .postponed? = healthOfHosts[host]?.circuitOpen, case .failed = outcome { return }
        healthOfHosts[host, default: Health()].circuitOpen = outcome
    }

    /// - Parameter began: when the try did. One that began before the last failure was counted tells nothing new.
    /// - Returns: how many of its kind there have been in a row, this one included; nil for one that tells nothing new.
    mutating func failed(
        _ host: String, _ fault: HostFault, began: SuspendingClock.Instant, now: SuspendingClock.Instant
    ) -> Int? {
        let kind: WritableKeyPath<Health, Run> = fault == .silence ? \.silences : \.refusals
        var health = healthOfHosts[host] ?? Health()
        let last = health[keyPath: kind].lastCounted
        if let last, began < last { return nil }
        health[keyPath: kind].count += 1
        health[keyPath: kind].lastCounted = now
        healthOfHosts[host] = health
        return health[keyPath: kind].count
    }
}

internal import PhotoModel

/// Tracks the health of hosts during a build: how many downloads may run at once, which hosts are paused, and which are
/// not contacted any more.
///
/// The concurrency limit is halved by 429 and 503, and grows by one with each answer that is not a rejection (AIMD, as
/// in TCP).
struct HostHealth {
    private struct Health {
        var concurrencyLimit: Int
        /// The number of failures in a row. Failures of attempts that ran at the same time count as one.
        var inRow: [HostFailure: Int] = [:]
        var lastCounted: [HostFailure: SuspendingClock.Instant] = [:]
        /// Whether the host has answered without a rejection since it first failed.
        var hasServed = false
        var pausedUntil: SuspendingClock.Instant?
        var circuitOpen: FetchOutcome?
    }

    /// The hosts that have failed. A host without an entry is healthy.
    private var healthOfHosts: [String: Health] = [:]
    /// The user's limit on concurrent downloads from a host.
    private let perHost: Int

    init(perHost: Int) { self.perHost = max(1, perHost) }

    /// The outcome of all further requests to the host in this build; nil if the host may be contacted.
    func circuitOpen(_ host: String) -> FetchOutcome? { healthOfHosts[host]?.circuitOpen }

    /// The time until which the host gets no new requests; nil if it has passed, or if there was none.
    func pausedUntil(_ host: String, now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        healthOfHosts[host]?.pausedUntil.flatMap { $0 > now ? $0 : nil }
    }

    /// Whether the host has answered any request without a rejection since it first failed.
    func hasServed(_ host: String) -> Bool { healthOfHosts[host]?.hasServed ?? false }

    func concurrencyLimit(_ host: String) -> Int { healthOfHosts[host]?.concurrencyLimit ?? perHost }

    /// Notes a response of the host.
    ///
    /// - Parameter isRejection: whether the host only turned the request away for now.
    /// - Returns: whether the concurrency limit has changed.
    mutating func answered(_ host: String, isRejection: Bool) -> Bool {
        guard var health = healthOfHosts[host] else { return false }
        let limit = health.concurrencyLimit
        health.inRow[.unreachable] = nil
        if !isRejection {
            health.inRow[.rejected] = nil
            health.hasServed = true
            health.concurrencyLimit = min(limit + 1, perHost)
        }
        healthOfHosts[host] = health
        return health.concurrencyLimit != limit
    }

    mutating func halveConcurrency(_ host: String) {
        change(host) { $0.concurrencyLimit = max($0.concurrencyLimit / 2, 1) }
    }

    mutating func pause(_ host: String, until moment: SuspendingClock.Instant) {
        change(host) { health in health.pausedUntil = health.pausedUntil.map { max($0, moment) } ?? moment }
    }

    /// Ends all requests to the host in this build. A pause that the server asked for is not replaced by a failure.
    mutating func openCircuit(_ host: String, answering outcome: FetchOutcome) {
        if case .postponed? = healthOfHosts[host]?.circuitOpen, case .failed = outcome { return }
        change(host) { $0.circuitOpen = outcome }
    }

    /// Counts a failure of the host.
    ///
    /// - Parameter began: when the attempt began. If that was before the last failure was counted, it says nothing new.
    /// - Returns: the number of failures of this kind in a row, including this one; nil if it says nothing new.
    mutating func failed(
        _ host: String, _ failure: HostFailure, began: SuspendingClock.Instant, now: SuspendingClock.Instant
    ) -> Int? {
        if let last = healthOfHosts[host]?.lastCounted[failure], began < last { return nil }
        var count = 0
        change(host) { health in
            health.lastCounted[failure] = now
            health.inRow[failure, default: 0] += 1
            count = health.inRow[failure] ?? 0
        }
        return count
    }

    private mutating func change(_ host: String, _ body: (inout Health) -> Void) {
        body(&healthOfHosts[host, default: Health(concurrencyLimit: perHost)])
    }
}

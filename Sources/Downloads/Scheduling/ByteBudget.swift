/// The bytes that may be received over all transfers, at a limited rate. A transfer pauses while the budget is
/// overdrawn. libcurl's own limit is for one transfer, and lets the first seconds of each pass at full speed.
///
/// Used on the transfer thread only.
final class ByteBudget {
    /// The limit on the rate, in bytes per second; at least 1.
    private let rate: Double
    /// The bytes that may be received now. Negative if more were received than allowed.
    private var balance = 0.0
    private var updated: SuspendingClock.Instant

    init(rate: Int64, now: SuspendingClock.Instant) {
        self.rate = Double(max(1, rate))
        updated = now
    }

    func spend(_ bytes: Int) { balance -= Double(bytes) }

    func isOverdrawn(now: SuspendingClock.Instant) -> Bool {
        refill(now: now)
        return balance < 0
    }

    /// The time until the budget is no longer overdrawn.
    func timeUntilBalanced(now: SuspendingClock.Instant) -> Duration {
        refill(now: now)
        return balance < 0 ? .milliseconds(Int64((-balance / rate * 1000).rounded(.up))) : .zero
    }

    private func refill(now: SuspendingClock.Instant) {
        // Unused bytes are saved for no more than a second, so that no burst follows a pause.
        balance = min(rate, balance + updated.duration(to: now) / .seconds(1) * rate)
        updated = now
    }
}

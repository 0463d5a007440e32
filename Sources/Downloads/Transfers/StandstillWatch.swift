/// Notices when the whole process stood still, stopped by a signal or by a machine that had no time for it: what a server
/// is allowed to take is not spent by that.
package struct StandstillWatch {
    /// What takes less than this is work, or a busy machine.
    static let leastNoticed = Duration.milliseconds(500)

    private var last: SuspendingClock.Instant

    package init(now: SuspendingClock.Instant) { last = now }

    /// To be called at every step of what does not wait unawares.
    ///
    /// - Parameter wait: how long was waited on purpose since the last call, at most.
    /// - Returns: how long the process stood still since then; nil if it did not.
    package mutating func standstill(
        after wait: Duration = .zero, now: SuspendingClock.Instant
    ) -> Duration? {
        defer { last = now }
        let unexplained = last.duration(to: now) - wait
        return unexplained >= Self.leastNoticed ? unexplained : nil
    }
}

/// Notices when the whole process stood still, stopped by a signal or by a machine that had no time for it: what a
/// server is allowed to take is not spent by that.
package struct SuspensionDetector {
    /// A shorter gap is work, or a busy machine.
    static let leastNoticed = Duration.milliseconds(500)

    private var last: SuspendingClock.Instant
    private var lastWork: Duration

    /// - Parameter work: processor time that the thread has had so far.
    package init(now: SuspendingClock.Instant, work: Duration) {
        last = now
        lastWork = work
    }

    /// To be called at every step of what does not wait unawares.
    ///
    /// - Parameters:
    ///   - wait: how long was waited on purpose since the last call, at most.
    ///   - work: processor time that the thread has had so far: a server that makes work does not stop the process.
    /// - Returns: how long the process stood still since then; nil if it did not.
    package mutating func standstill(
        after wait: Duration = .zero, now: SuspendingClock.Instant, work: Duration
    ) -> Duration? {
        defer { (last, lastWork) = (now, work) }
        let unexplained = last.duration(to: now) - wait - (work - lastWork)
        return unexplained >= Self.leastNoticed ? unexplained : nil
    }
}

/// Detects that the whole process was suspended, by a signal or by a machine that had no time for it. Such time does
/// not count against a server.
package struct SuspensionDetector {
    /// The shortest gap that counts as a suspension. A shorter one comes from work, or from a busy machine.
    static let shortestSuspension = Duration.milliseconds(500)

    private var last: SuspendingClock.Instant
    private var lastCPUTime: Duration

    /// - Parameter cpuTime: the processor time that the thread has used so far.
    package init(now: SuspendingClock.Instant, cpuTime: Duration) {
        last = now
        lastCPUTime = cpuTime
    }

    /// Measures the gap since the last call. This must be called after each wait, and between long steps.
    ///
    /// - Parameters:
    ///   - wait: the time that was spent waiting on purpose since the last call, at most.
    ///   - cpuTime: the processor time that the thread has used so far. A server that causes work does not suspend the
    ///     process.
    /// - Returns: how long the process was suspended since the last call; nil if it was not.
    package mutating func suspension(
        after wait: Duration = .zero, now: SuspendingClock.Instant, cpuTime: Duration
    ) -> Duration? {
        defer { (last, lastCPUTime) = (now, cpuTime) }
        let unexplained = last.duration(to: now) - wait - (cpuTime - lastCPUTime)
        return unexplained >= Self.shortestSuspension ? unexplained : nil
    }
}

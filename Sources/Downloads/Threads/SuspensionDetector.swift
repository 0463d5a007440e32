/// Notices when the whole process was suspended, by a signal or by a machine that had no time for it. Such time does
/// not count against a server.
package struct SuspensionDetector {
    /// A shorter gap is work, or a busy machine.
    static let leastNoticed = Duration.milliseconds(500)

    private var last: SuspendingClock.Instant
    private var lastCPUTime: Duration

    /// - Parameter cpuTime: processor time that the thread has had so far.
    package init(now: SuspendingClock.Instant, cpuTime: Duration) {
        last = now
        lastCPUTime = cpuTime
    }

    /// Must be called after each wait, and between long steps.
    ///
    /// - Parameters:
    ///   - wait: how long was waited on purpose since the last call, at most.
    ///   - cpuTime: processor time that the thread has had so far: a server that makes work does not stop the process.
    /// - Returns: how long the process was suspended since then; nil if it was not.
    package mutating func suspension(
        after wait: Duration = .zero, now: SuspendingClock.Instant, cpuTime: Duration
    ) -> Duration? {
        defer { (last, lastCPUTime) = (now, cpuTime) }
        let unexplained = last.duration(to: now) - wait - (cpuTime - lastCPUTime)
        return unexplained >= Self.leastNoticed ? unexplained : nil
    }
}

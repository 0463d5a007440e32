import Foundation

/// Measures the processor time of this thread, which does not depend on the load of the machine.
enum ProcessorTime {
    /// - Returns: The processor time of `work` in seconds, and its result.
    static func of<Result>(_ work: () -> Result) -> (seconds: Double, result: Result) {
        let start = now
        let result = work()
        return (now - start, result)
    }

    private static var now: Double {
        var time = timespec()
        let code = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        precondition(code == 0, "the thread has no clock")
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

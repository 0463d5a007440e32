import Foundation

/// The processor time of a piece of work on this thread, which other work on the machine does not change.
enum ProcessorTime {
    /// Seconds.
    static func of<Result>(_ work: () -> Result) -> (seconds: Double, result: Result) {
        let start = now
        let result = work()
        return (now - start, result)
    }

    private static var now: Double {
        var time = timespec()
        let code = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        precondition(code == 0, "each thread has a clock")
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

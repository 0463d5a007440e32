/// The real time during a build: that of its start, given from outside, and what has gone by since.
struct BuildClock: Sendable {
    private let startedAt: Int64
    private let start = ContinuousClock.now

    /// - Parameter startedAt: nanoseconds since 1970.
    init(startedAt: Int64) { self.startedAt = startedAt / 1_000_000_000 }

    /// Seconds since 1970.
    var now: Int64 { startedAt + start.duration(to: .now).components.seconds }
}

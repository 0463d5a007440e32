/// The real time during a build: the given time of its start, plus the time that has passed since.
struct BuildClock: Sendable {
    private let startedAt: Int64
    private let start = ContinuousClock.now

    /// - Parameter startedAt: the time of the start in nanoseconds since 1970.
    init(startedAt: Int64) { self.startedAt = startedAt / 1_000_000_000 }

    /// The current time in seconds since 1970.
    var now: Int64 { startedAt + start.duration(to: .now).components.seconds }
}

/// The waits after failed attempts: they double each time up to a limit, with random jitter.
package struct Backoff: Sendable {
    /// Chooses a random wait.
    ///
    /// - Parameter limit: the longest wait; at least 0.
    /// - Returns: a wait from 0 to `limit`.
    package typealias Jitter = @Sendable (_ limit: Duration) -> Duration

    /// "Full jitter": any wait up to the limit is equally likely, so that clients that failed together do not return
    /// together.
    package static let fullJitter: Jitter = { limit in limit * Double.random(in: 0...1) }

    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(30)

    private let jitter: Jitter

    init(jitter: @escaping Jitter) { self.jitter = jitter }

    /// - Parameter failures: the number of failures in a row, including the last; at least 1.
    func wait(after failures: Int) -> Duration {
        // 500 ms · 2⁶ already exceeds the longest wait.
        jitter(min(Self.longest, Self.first * (1 << min(max(failures - 1, 0), 6))))
    }

    /// The pause that a server asked for and a little more, because it asked other clients for the same pause.
    func wait(requested: Duration) -> Duration { requested + jitter(Self.first) }
}

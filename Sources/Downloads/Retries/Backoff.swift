/// The backoff after failed attempts: doubles each time up to a limit, with random jitter.
package struct Backoff: Sendable {
    /// - Parameter limit: at least 0.
    /// - Returns: from 0 to `limit`.
    package typealias Jitter = @Sendable (_ limit: Duration) -> Duration

    /// "Full jitter": any wait up to the limit is as likely as any other, so that those who failed together do not come
    /// back together.
    package static let fullJitter: Jitter = { limit in limit * Double.random(in: 0...1) }

    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(30)

    private let jitter: Jitter

    init(jitter: @escaping Jitter) { self.jitter = jitter }

    /// - Parameter failures: how many there were in a row, the last one included. At least 1.
    func wait(after failures: Int) -> Duration {
        // 500 ms · 2⁶ is more than the longest wait already.
        jitter(min(Self.longest, Self.first * (1 << min(max(failures - 1, 0), 6))))
    }

    /// The pause a server asked for, and a little more, because it asked other clients for the same.
    func wait(asked: Duration) -> Duration { asked + jitter(Self.first) }
}

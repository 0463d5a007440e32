/// The number of requests that may run at one host at once. It starts at the number of downloads, and grows with each
/// conditional request that the host answers with 304 in time: such answers cost it next to nothing. One slow answer
/// or rejection halves the window (AIMD, as TCP does it).
struct RequestWindow {
    private(set) var size: Int
    private let downloads: Int
    private var fastest: Duration?
    private var lastReduction: SuspendingClock.Instant?

    /// The connections for conditional requests by HTTP/1.1, for each download that may run.
    static let connectionsPerDownload = 4
    /// The conditional requests on a connection by HTTP/2; libcurl obeys a lower limit of the server.
    static let streams = 100
    /// An answer is slow if it takes longer than this, and more than twice as long as the host's fastest.
    private static let prompt = Duration.milliseconds(100)

    /// - Parameter downloads: the downloads that may run at once. If that is one, requests run one after the other.
    init(downloads: Int) { (size, self.downloads) = (downloads, downloads) }

    /// Notes that the host confirmed an original (304).
    ///
    /// - Parameters:
    ///   - began: when the request did. One from before the last reduction says nothing new.
    ///   - time: from the request to the first byte of the answer.
    mutating func confirmed(in time: Duration, isMultiplexed: Bool, began: SuspendingClock.Instant) {
        let fastest = min(time, self.fastest ?? time)
        self.fastest = fastest
        guard time <= max(fastest * 2, Self.prompt) else {
            if lastReduction.map({ began >= $0 }) ?? true { reduce(to: max(size / 2, downloads)) }
            return
        }
        guard downloads > 1 else { return }
        let most = isMultiplexed ? max(Self.streams, downloads) : downloads * Self.connectionsPerDownload
        size = isMultiplexed && lastReduction == nil ? most : min(size + 1, most)
    }

    mutating func rejected() { reduce(to: max(size / 2, 1)) }

    /// Notes that a photo has changed while all downloads were taken: others have probably changed too.
    mutating func needsDownloads() { reduce(to: min(size, downloads)) }

    private mutating func reduce(to size: Int) { (self.size, lastReduction) = (min(self.size, size), .now) }
}

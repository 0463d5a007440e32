/// The number of requests that may run at one host at the same time. It begins at the number of downloads, and grows
/// with each conditional request that the host promptly answers with 304, as such an answer costs the host next to
/// nothing. A slow answer or a rejection halves the window (AIMD, as in TCP).
struct RequestWindow {
    private(set) var size: Int
    private let downloads: Int
    private var fastest: Duration?
    private var lastReduction: SuspendingClock.Instant?
    /// Whether a second HTTP/2 connection is open. Until it is, only one request more than fit on the first connection
    /// may run, and that one opens it: libcurl 7.88 would open a connection for each further request.
    private var hasSecondConnection = false

    /// The number of HTTP/1.1 connections for conditional requests, for each download that may run.
    static let connectionsPerDownload = 4
    /// The most conditional requests on an HTTP/2 connection. If the server has a lower limit, libcurl obeys that.
    private static let streams = 100
    /// The most conditional requests at a host that multiplexes. They fill two connections: at a round trip of 30 ms,
    /// one would be idle for most of the time. RFC 9113 §9.1 advises against a second one, but a host may get as many
    /// connections as downloads.
    static let multiplexed = 2 * streams
    /// An answer is slow if it takes longer than this, and more than twice as long as the host's fastest answer.
    private static let prompt = Duration.milliseconds(100)

    /// - Parameter downloads: the most downloads at the same time. If it is 1, requests run one after the other.
    init(downloads: Int) { (size, self.downloads) = (downloads, downloads) }

    /// Notes that the host confirmed an original (304).
    ///
    /// - Parameters:
    ///   - time: the time from the request to the first byte of the answer.
    ///   - isMultiplexed: whether the connection can carry several requests at the same time (HTTP/2).
    ///   - opensConnection: whether the request opened the connection that it was sent on.
    ///   - began: when the request began. A slow answer to a request from before the last reduction says nothing new.
    mutating func confirmed(
        in time: Duration, isMultiplexed: Bool, opensConnection: Bool, began: SuspendingClock.Instant
    ) {
        let fastest = min(time, self.fastest ?? time)
        self.fastest = fastest
        guard time <= max(fastest * 2, Self.prompt) else {
            if lastReduction.map({ began >= $0 }) ?? true { reduce(to: max(size / 2, downloads)) }
            return
        }
        guard downloads > 1 else { return }
        guard isMultiplexed else {
            size = min(size + 1, downloads * Self.connectionsPerDownload)
            return
        }
        if opensConnection, size > Self.streams { hasSecondConnection = true }
        let most = max(hasSecondConnection ? Self.multiplexed : Self.streams + 1, downloads)
        size = lastReduction == nil ? most : min(size + 1, most)
    }

    mutating func rejected() { reduce(to: max(size / 2, 1)) }

    /// Notes that a photo has changed while as many downloads as allowed were running. Other photos have probably
    /// changed too.
    mutating func needsDownloads() { reduce(to: min(size, downloads)) }

    private mutating func reduce(to size: Int) { (self.size, lastReduction) = (min(self.size, size), .now) }
}

/// The limits of a transfer, and of transfers at the same time.
package struct TransferLimits: Hashable, Sendable {
    /// The longest time from the look-up of the name to the end of the TLS handshake, for each connection. At least 1
    /// ms.
    package var connectTimeout: Duration
    /// The longest time of the whole transfer, including redirects. At least 1 ms.
    package var timeout: Duration
    /// The longest time without a byte of the body or a line of the header, once connected. At least 1 ms.
    package var stallTimeout: Duration
    /// The size of the largest original in bytes; a larger one fails as `tooLarge`. At least 1.
    package var maxBytes: Int64
    /// The most redirects that are followed; 0 follows none.
    package var maxRedirects: Int
    /// The most downloads at the same time, over all hosts. At least 1.
    package var total: Int
    /// The most requests at the same time, over all hosts, including conditional ones; at least `total`.
    package var requests: Int
    /// The most downloads at the same time from one host and port. At least 1.
    package var perHost: Int
    /// The most bytes per second over all transfers; nil for no limit.
    package var bytesPerSecond: Int64?
    /// The shortest time between two requests to one host and port; zero for none.
    package var requestInterval = Duration.zero
    /// The most retries after the first attempt, for transient failures; 0 for none.
    package var retries: Int

    package init(
        connectTimeout: Duration, timeout: Duration, stallTimeout: Duration, maxBytes: Int64, maxRedirects: Int,
        total: Int, perHost: Int, retries: Int = 0
    ) {
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.stallTimeout = stallTimeout
        self.maxBytes = maxBytes
        self.maxRedirects = maxRedirects
        self.total = total
        requests = total > 1 ? max(total, RequestWindow.multiplexed) : 1
        self.perHost = perHost
        self.retries = retries
    }

    /// The most connections to a host that has confirmed no original over HTTP/1.1. Either it gets no more requests
    /// than downloads, or they share connections (HTTP/2). When a server ends such a connection (GOAWAY, RFC 9113
    /// §6.8), libcurl 7.88 opens one for each request that was turned away, up to this limit.
    var connections: Int { max(1, min(total, perHost)) }

    /// The most connections to a host that confirms originals over HTTP/1.1, and to a proxy, which all hosts can share.
    var connectionsOverHTTP1: Int { max(1, total, perHost * RequestWindow.connectionsPerDownload) }
}

extension Duration {
    /// The duration in milliseconds for libcurl; at least 1, because libcurl takes 0 for no limit.
    var wholeMilliseconds: Int {
        max(1, Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }

    var inSeconds: Double { Double(wholeMilliseconds) / 1000 }
}

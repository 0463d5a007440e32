internal import CLibCurl

/// libcurl's report of a finished transfer.
struct TransferReport {
    let code: CURLcode
    /// libcurl's error message, which can contain host names and addresses; empty if there is none, or after a success.
    let errorText: String
    /// The status of the proxy's answer to CONNECT; 0 without a tunnel.
    let proxyStatus: Int
    /// The number of connections that were opened for the transfer.
    let connections: Int
    /// The time from the request to the first byte of the response.
    let responseTime: Duration
    /// Whether the connection can carry other requests at the same time (HTTP/2).
    let isMultiplexed: Bool
}

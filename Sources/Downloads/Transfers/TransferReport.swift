internal import CLibCurl

/// libcurl's report of a finished transfer.
struct TransferReport {
    let code: CURLcode
    /// libcurl's own account, which may name hosts and addresses; empty if it gave none, or after a success.
    let errorText: String
    /// The proxy's status in answer to CONNECT; 0 without a tunnel.
    let proxyStatus: Int
    /// Connections that had to be made.
    let connections: Int
    /// From the request to the first byte of the response.
    let responseTime: Duration
    /// Whether other requests can run on the connection at the same time (HTTP/2).
    let isMultiplexed: Bool
}

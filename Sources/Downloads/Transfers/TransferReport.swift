internal import CLibCurl

/// What libcurl says of a transfer that has ended.
struct TransferReport {
    let code: CURLcode
    /// libcurl's own account, which may name hosts and addresses; empty if it gave none, or after a success.
    let errorText: String
    /// What the proxy answered when it was asked for a tunnel; 0 without one.
    let proxyStatus: Int
    /// Connections that had to be made.
    let connections: Int
}

internal import CLibCurl

/// What libcurl says of a transfer that has ended.
struct TransferReport {
    let code: CURLcode
    /// The address asked last, after redirects; it may hold secrets. Like the next, empty after a success, which
    /// a status is, but for that of a proxy (407).
    let lastURL: String
    /// libcurl's own account, which may name hosts and addresses; empty if it gave none.
    let errorText: String
    /// What the proxy answered when it was asked for a tunnel; 0 without one.
    let proxyStatus: Int
    /// Connections that had to be made.
    let connections: Int
}

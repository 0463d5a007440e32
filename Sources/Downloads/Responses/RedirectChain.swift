/// The redirects that a request has followed so far, and the state that they pass on to the next request. Each target
/// is requested like any other address, with the limits, the headers, the proxy and the policy of its own host.
///
/// This is a class so that a request without redirects, as most are, stays small: it is copied several times.
final class RedirectChain: Sendable {
    /// The next address to request.
    let target: RemoteAddress
    /// The number of redirects followed; at least 1.
    let count: Int
    /// Whether all redirects in the chain are permanent.
    let isPermanent: Bool
    /// The address that the photo has moved to: the target of the permanent redirects that the chain begins with; nil
    /// if the chain begins with a temporary redirect.
    let permanentTarget: RemoteAddress?
    /// The caching fields of each redirect: the final response is fresh no longer than any of them.
    let caching: [CachingFields]
    /// The cookies that the redirects have set, in libcurl's form. They are forgotten when the transfer ends.
    let cookies: [String]
    /// The remaining time of the whole transfer. Waiting in the queue does not count.
    let timeLeft: Duration
    /// Whether a public server has been contacted. A redirect from it must not lead to a server that is not public:
    /// `ConnectionGuard` refuses such a connection.
    let hasContactedPublic: Bool
    /// Whether the process was suspended during one of the redirects.
    let processWasSuspended: Bool

    init(
        target: RemoteAddress, count: Int, isPermanent: Bool, permanentTarget: RemoteAddress?,
        caching: [CachingFields], cookies: [String], timeLeft: Duration, hasContactedPublic: Bool,
        processWasSuspended: Bool
    ) {
        self.target = target
        self.count = count
        self.isPermanent = isPermanent
        self.permanentTarget = permanentTarget
        self.caching = caching
        self.cookies = cookies
        self.timeLeft = timeLeft
        self.hasContactedPublic = hasContactedPublic
        self.processWasSuspended = processWasSuspended
    }
}

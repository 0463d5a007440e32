/// The redirects of a request so far, and what they pass on to the next one. Each target is requested like any other
/// address: with the limits, the headers, the proxy and the policy of its own host.
struct RedirectChain: Sendable {
    /// The next address to request.
    let target: RemoteAddress
    /// The number of redirects followed; at least 1.
    let count: Int
    /// Whether all of them are permanent.
    let isPermanent: Bool
    /// The address that the photo has moved to: the target of the permanent redirects that the chain begins with; nil
    /// if it begins with a temporary one.
    let permanentTarget: RemoteAddress?
    /// The caching fields of each: what they lead to is no longer fresh than they are.
    let caching: [CachingFields]
    /// The remaining time of the whole transfer. Waiting in the queue does not count.
    let timeLeft: Duration
    /// A server of the public internet was asked: nothing that it says leads to a private one. `ConnectionGuard`
    /// refuses such a connection.
    let hasContactedPublic: Bool
    /// Whether the process was suspended during one of them.
    let processWasSuspended: Bool
}

/// Holds one transfer, over all its redirects, to the policy on addresses.
package struct AddressGuard {
    private let policy: AddressPolicy
    let proxies: Proxies
    /// The host that the address names, its port, and whether it is asked over TLS.
    private let named: (host: String, port: Int, isSecure: Bool)
    /// Who was asked first. What it is matters to redirects alone, which most transfers do not have: nothing of it is
    /// looked at before one comes.
    private var first: (address: String, port: Int)?
    /// A server of the public internet was asked: from here on nothing it says leads to a private one.
    private var hasAskedPublic = false
    /// The host that no socket was opened to, because all its addresses so far are refused; nil if one was allowed.
    package private(set) var refusedHost: String?

    package init(
        _ policy: AddressPolicy, host: String, port: Int, isSecure: Bool = false, proxies: Proxies = Proxies()
    ) {
        self.policy = policy
        self.proxies = proxies
        named = (host, port, isSecure)
    }

    /// Whether a socket to this address may be opened.
    ///
    /// - Parameter url: what is being asked, after redirects.
    package mutating func allowsConnection(to address: NetworkAddress, port: Int, for url: String) -> Bool {
        let target = Target(url, address: address, port: port, proxies: proxies)
        let isAllowed = allows(target)
        refusedHost = isAllowed ? nil : target.host
        return isAllowed
    }

    /// Whether a request may be sent over a connection, be it new or one that served another transfer before.
    ///
    /// - Parameter address: in the form that `NetworkAddress` reads.
    package mutating func allowsRequest(
        to address: String, port: Int, for url: @autoclosure () -> String
    ) -> Bool {
        if first == nil, policy != .publicOnly {
            first = (address, port)
            refusedHost = nil
            return true
        }
        let target = Target(url(), address: NetworkAddress(address), port: port, proxies: proxies)
        guard allows(target) else {
            refusedHost = target.host
            return false
        }
        refusedHost = nil
        hasAskedPublic = hasAskedPublic || target.isPublic
        return true
    }

    private mutating func allows(_ target: Target) -> Bool {
        if target.isPublic { return true }
        if !hasAskedPublic, let first {
            hasAskedPublic =
                Target(
                    host: named.host, port: named.port, isSecure: named.isSecure,
                    address: NetworkAddress(first.address), reachedPort: first.port, proxies: proxies
                ).isPublic
        }
        guard !hasAskedPublic else { return false }
        return switch policy {
        case .publicOnly: false
        case .namedHost: target.host == named.host
        case .privateNetworks: true
        }
    }
}

/// What is asked for, and at which end of a socket.
private struct Target {
    let host: String
    let isPublic: Bool

    init(_ url: String, address: NetworkAddress?, port: Int, proxies: Proxies) {
        let facts = RemoteAddress.facts(of: url)
        self.init(
            host: facts.host?.lowercased() ?? "", port: facts.port, isSecure: facts.scheme == "https",
            address: address, reachedPort: port, proxies: proxies)
    }

    init(host: String, port: Int?, isSecure: Bool, address: NetworkAddress?, reachedPort: Int, proxies: Proxies) {
        self.host = host
        guard let proxy = proxies.proxy(isSecure: isSecure) else {
            isPublic = address?.isPublic ?? false
            return
        }
        // The address may be the proxy's, of whatever kind that is. Or the server's, if it is among those that are asked
        // without one: a name that is looked up here, as the addresses among them are told by their spelling.
        if HostSpelling.isPrivate(host) {
            isPublic = false
        } else if address?.isPublic == true || NetworkAddress(host) != nil {
            isPublic = true
        } else {
            let isCertain = port != reachedPort || proxies.proxy(isSecure: isSecure, asking: host) != nil
            isPublic = reachedPort == proxy.port && isCertain
        }
    }
}

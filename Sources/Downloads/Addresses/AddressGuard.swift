/// Holds one transfer, over all its redirects, to the policy on addresses.
package struct AddressGuard {
    private let policy: AddressPolicy
    /// The host that the address names, and its port.
    private let named: (host: String, port: Int)
    /// Who was asked first. What it is matters to redirects alone, which most transfers do not have: nothing of it is
    /// looked at before one comes.
    private var first: (address: String, port: Int)?
    /// A server of the public internet was asked: from here on nothing it says leads to a private one.
    private var hasAskedPublic = false
    /// The host that no socket was opened to, because all its addresses so far are refused; nil if one was allowed.
    package private(set) var refusedHost: String?

    package init(_ policy: AddressPolicy, host: String, port: Int) {
        self.policy = policy
        named = (host, port)
    }

    /// Whether a socket to this address may be opened.
    ///
    /// - Parameter url: what is being asked, after redirects.
    package mutating func allowsConnection(to address: NetworkAddress, port: Int, for url: String) -> Bool {
        let target = Target(url, address: address, port: port)
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
        let target = Target(url(), address: NetworkAddress(address), port: port)
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
                    host: named.host, port: named.port, address: NetworkAddress(first.address), reachedPort: first.port
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

    init(_ url: String, address: NetworkAddress?, port: Int) {
        let facts = RemoteAddress.facts(of: url)
        self.init(host: facts.host?.lowercased() ?? "", port: facts.port, address: address, reachedPort: port)
    }

    init(host: String, port: Int?, address: NetworkAddress?, reachedPort: Int) {
        self.host = host
        // Only a proxy is found at another port than the one that is asked for. One at the same port is taken for the
        // server itself, which errs on the safe side.
        if port == nil || port == reachedPort {
            isPublic = address?.isPublic ?? false
        } else {
            isPublic = !Self.isPrivateSpelling(host)
        }
    }

    private static func isPrivateSpelling(_ host: String) -> Bool {
        if let literal = NetworkAddress(host) { return !literal.isPublic }
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        // A name without a dot is found in the network of whoever looks it up, or not at all.
        guard name.contains(".") else { return true }
        return privateDomains.contains { name.hasSuffix($0) }
    }

    /// Names that no public name server answers for (RFC 6761, RFC 6762, RFC 8375; .internal by resolution of ICANN).
    private static let privateDomains = [".localhost", ".local", ".internal", ".home.arpa"]
}

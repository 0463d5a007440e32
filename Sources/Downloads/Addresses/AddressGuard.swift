/// Holds one transfer, over all its redirects, to the policy on addresses.
package struct AddressGuard {
    private let policy: AddressPolicy
    /// The host that the address names.
    private let named: String
    /// A server of the public internet was asked: from here on nothing it says leads to a private one.
    private var hasAskedPublic = false
    /// The host that no socket was opened to, because all its addresses so far are refused; nil if one was allowed.
    package private(set) var refusedHost: String?

    package init(_ policy: AddressPolicy, named host: String) {
        self.policy = policy
        named = host
    }

    /// Whether a socket to this address may be opened.
    ///
    /// - Parameter url: what is being asked, after redirects.
    package mutating func allowsConnection(to address: NetworkAddress?, port: Int, for url: String) -> Bool {
        let target = Target(url, address: address, port: port)
        let isAllowed = allows(target)
        refusedHost = isAllowed ? nil : target.host
        return isAllowed
    }

    /// Whether a request may be sent over a connection, be it new or one that served another transfer before.
    package mutating func allowsRequest(to address: NetworkAddress?, port: Int, for url: String) -> Bool {
        let target = Target(url, address: address, port: port)
        guard allows(target) else {
            refusedHost = target.host
            return false
        }
        refusedHost = nil
        hasAskedPublic = hasAskedPublic || target.isPublic
        return true
    }

    private func allows(_ target: Target) -> Bool {
        if target.isPublic { return true }
        guard !hasAskedPublic else { return false }
        return switch policy {
        case .publicOnly: false
        case .namedHost: target.host == named
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
        let host = facts.host?.lowercased() ?? ""
        self.host = host
        // Only a proxy is found at another port than the one that is asked for. One at the same port is taken for the
        // server itself, which errs on the safe side.
        if port == facts.port || facts.port == nil {
            isPublic = address?.isPublic ?? false
        } else {
            isPublic = !Self.isPrivateSpelling(host)
        }
    }

    private static func isPrivateSpelling(_ host: String) -> Bool {
        if let literal = NetworkAddress(host) { return !literal.isPublic }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name.isEmpty || name == "localhost" || name.hasSuffix(".localhost")
    }
}

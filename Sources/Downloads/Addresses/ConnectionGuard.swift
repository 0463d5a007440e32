package import PhotoModel

/// Holds one request, by all the connections that it may take, to the policy on addresses.
package struct ConnectionGuard {
    private let policy: AddressPolicy
    private let proxies: Proxies
    private let host: String
    private let port: Int
    private let isSecure: Bool
    /// Whether the host that is asked is the very one that the address names, at a port that was meant.
    private let isNamed: Bool
    /// A server of the public internet was asked before: nothing that it says leads to a private one.
    private let isAfterPublic: Bool
    /// Who was asked. What it is matters to redirects alone, which most requests do not have: nothing of it is looked
    /// at before one comes.
    private var reached: (address: String, port: Int)?
    /// Why no socket was opened, as all addresses so far are refused; nil if one was allowed.
    package private(set) var refusal: Failure?

    /// - Parameters:
    ///   - written: the host of the address as it was listed.
    ///   - host: who is asked, after redirects.
    ///   - isAfterPublic: whether a redirect of a public server led there.
    package init(
        _ policy: AddressPolicy, written: String, host: String, port: Int, isSecure: Bool = false,
        isAfterPublic: Bool = false, proxies: Proxies = Proxies()
    ) {
        self.policy = policy
        self.proxies = proxies
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.isAfterPublic = isAfterPublic
        isNamed = written == host && policy.ports?.contains(port) ?? true
    }

    /// Whether a socket to this address may be opened.
    package mutating func allowsConnection(to address: IPAddress, port: Int) -> Bool {
        refusal = problem(with: scope(of: address, port))
        return refusal == nil
    }

    /// Whether a request may be sent over a connection, be it new or one that served another transfer before.
    ///
    /// - Parameter address: in the form that `IPAddress` reads.
    package mutating func allowsRequest(to address: String, port: Int) -> Bool {
        reached = (address, port)
        refusal =
            policy.isWrittenHere && isNamed && !isAfterPublic && HostnameClassifier.isLiteral(host)
            ? nil : problem(with: scope(of: IPAddress(address), port))
        return refusal == nil
    }

    /// Whether the request, or one before it that led there, went to a server of the public internet.
    package var hasContactedPublic: Bool {
        isAfterPublic || reached.map { scope(of: IPAddress($0.address), $0.port) == .global } ?? false
    }

    private func problem(with scope: AddressScope) -> Failure? {
        if scope == .global { return nil }
        if isAfterPublic { return .blockedAddress(host: host, .afterPublic) }
        let isNamedHere = policy.isWrittenHere && isNamed
        switch scope {
        case .global: return nil
        case .machine:
            return isNamedHere && HostnameClassifier.isLiteral(host) ? nil : .blockedAddress(host: host, .machine)
        case .private: return isNamedHere || policy.allowsPrivate ? nil : .blockedAddress(host: host, .privateNetwork)
        }
    }

    /// - Parameters:
    ///   - address: the end of a socket, which may be the proxy's; nil for what is no IP address.
    ///   - reachedPort: its port.
    private func scope(of address: IPAddress?, _ reachedPort: Int) -> AddressScope {
        let seen = address?.scope ?? .machine
        guard let proxy = proxies.proxy(isSecure: isSecure) else { return seen }
        let spelled = HostnameClassifier.scope(of: host)
        // The address may be the server's, if that is among those that are asked without proxy: a name that is looked
        // up here, as the addresses among them are told by their spelling.
        let isCertain = port != reachedPort || proxies.proxy(isSecure: isSecure, asking: host) != nil
        let isOfProxy = reachedPort == proxy.port && isCertain
        switch spelled {
        case .machine: return .machine
        case .private: return !isOfProxy && seen == .machine && IPAddress(host) == nil ? .machine : .private
        case .global: return seen == .global || IPAddress(host) != nil || isOfProxy ? .global : seen
        }
    }
}

package import PhotoModel

/// Enforces the address policy on one request and on all connections that it could use.
package struct ConnectionGuard {
    private let policy: AddressPolicy
    private let proxies: Proxies
    private let host: String
    private let port: Int
    private let isSecure: Bool
    /// Whether the request is for the very host that the listed address names, at a port that the policy covers.
    private let isNamed: Bool
    /// Whether a public server was contacted before. Its redirects must not lead to a server that is not public.
    private let isAfterPublic: Bool
    /// The remote end that the request was sent to. Its scope matters only if a redirect follows, which is rare, so
    /// `hasContactedPublic` determines it.
    private var reached: (address: String, port: Int)?
    /// Why the address that was checked last is refused; nil if it is allowed.
    package private(set) var refusal: Failure?

    /// - Parameters:
    ///   - written: the host of the address as it was listed.
    ///   - host: the host that is contacted, after redirects.
    ///   - isAfterPublic: whether a redirect from a public server led there.
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

    /// Whether a request may be sent over a connection, which can be new or have served another transfer before.
    ///
    /// - Parameter address: the address of the remote end, in a form that `IPAddress` reads.
    package mutating func allowsRequest(to address: String, port: Int) -> Bool {
        reached = (address, port)
        refusal =
            policy.isLocallyListed && isNamed && !isAfterPublic && HostnameClassifier.isLiteral(host)
            ? nil : problem(with: scope(of: IPAddress(address), port))
        return refusal == nil
    }

    /// Whether this request, or one that led to it by a redirect, went to a public server.
    package var hasContactedPublic: Bool {
        isAfterPublic || reached.map { scope(of: IPAddress($0.address), $0.port) == .global } ?? false
    }

    private func problem(with scope: AddressScope) -> Failure? {
        if scope == .global { return nil }
        if isAfterPublic { return .blockedAddress(host: host, .afterPublic) }
        let isNamedHere = policy.isLocallyListed && isNamed
        switch scope {
        case .global: return nil
        case .machine:
            return isNamedHere && HostnameClassifier.isLiteral(host) ? nil : .blockedAddress(host: host, .machine)
        case .private: return isNamedHere || policy.allowsPrivate ? nil : .blockedAddress(host: host, .privateNetwork)
        }
    }

    /// - Parameters:
    ///   - address: the remote end of a socket, which can be the proxy; nil if it is not an IP address.
    ///   - reachedPort: the port of the remote end.
    private func scope(of address: IPAddress?, _ reachedPort: Int) -> AddressScope {
        let seen = address?.scope ?? .machine
        guard let proxy = proxies.proxy(isSecure: isSecure) else { return seen }
        let spelled = HostnameClassifier.scope(of: host)
        // The remote end can be the server itself, if the host is an exception to the proxy. Then the host is a name
        // that was resolved here: IP addresses among the exceptions are judged by their spelling.
        let isCertain = port != reachedPort || proxies.proxy(isSecure: isSecure, for: host) != nil
        let isOfProxy = reachedPort == proxy.port && isCertain
        switch spelled {
        case .machine: return .machine
        case .private: return !isOfProxy && seen == .machine && IPAddress(host) == nil ? .machine : .private
        case .global: return seen == .global || IPAddress(host) != nil || isOfProxy ? .global : seen
        }
    }
}

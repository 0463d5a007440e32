internal import Foundation

/// The proxies for requests. libcurl gets these and reads none from the environment.
package struct Proxies: Hashable, Sendable {
    /// For http addresses; nil to ask servers themselves.
    private let plain: Proxy?
    /// For https addresses.
    private let secure: Proxy?
    /// Hosts that are asked without one, as `no_proxy` names them for curl.
    let exceptions: String

    package init(plain: Proxy? = nil, secure: Proxy? = nil, exceptions: String = "") {
        self.plain = plain
        self.secure = secure
        self.exceptions = exceptions
    }

    /// Whether a proxy is contacted over TLS.
    var isSecure: Bool { plain?.isSecure == true || secure?.isSecure == true }

    /// The proxy for a scheme; nil for none.
    func proxy(isSecure: Bool) -> Proxy? { isSecure ? secure : plain }

    /// The proxy for a host; nil if that is not certain, because the host may be an exception.
    func proxy(isSecure: Bool, asking host: String) -> Proxy? {
        guard let proxy = proxy(isSecure: isSecure), !mayExcept(host) else { return nil }
        return proxy
    }

    /// The proxy for the host of an address.
    func proxy(asking address: RemoteAddress) -> Proxy? { proxy(isSecure: address.isSecure, asking: address.host) }

    /// False only for a host that is none of the exceptions in any way in which versions of libcurl read them.
    private func mayExcept(_ host: String) -> Bool {
        let (name, address) = (Self.trimmed(host), IPAddress(host))
        return exceptions.split { $0 == "," || $0.isWhitespace }.contains { entry in
            if entry == "*" { return true }
            // An entry may be a network, which only newer versions of libcurl read.
            if let address, entry.contains("/") || IPAddress(entry) == address { return true }
            let domain = Self.trimmed(entry)
            return name == domain || name.hasSuffix("." + domain)
        }
    }

    private static func trimmed(_ name: some StringProtocol) -> String {
        name.trimmingCharacters(in: CharacterSet(charactersIn: ".")).lowercased()
    }
}

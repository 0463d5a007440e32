internal import Foundation

/// The proxies for requests. libcurl gets these and reads none from the environment.
package struct Proxies: Hashable, Sendable {
    /// The proxy for http addresses; nil to contact servers directly.
    private let plain: Proxy?
    /// The proxy for https addresses; nil to contact servers directly.
    private let secure: Proxy?
    /// The hosts that are contacted without a proxy, in the syntax of curl's `no_proxy`.
    let exceptions: String

    package init(plain: Proxy? = nil, secure: Proxy? = nil, exceptions: String = "") {
        self.plain = plain
        self.secure = secure
        self.exceptions = exceptions
    }

    var isEmpty: Bool { plain == nil && secure == nil }

    /// Whether any proxy is contacted over TLS.
    var isSecure: Bool { plain?.isSecure == true || secure?.isSecure == true }

    /// The proxy for a scheme; nil if there is none.
    func proxy(isSecure: Bool) -> Proxy? { isSecure ? secure : plain }

    /// The proxy for a host; nil if there is none, or if that is not certain because the host may be an exception.
    func proxy(isSecure: Bool, for host: String) -> Proxy? {
        guard let proxy = proxy(isSecure: isSecure), !mayExcept(host) else { return nil }
        return proxy
    }

    /// The proxy for the host of an address; nil if there is none, or if that is not certain.
    func proxy(for address: RemoteAddress) -> Proxy? { proxy(isSecure: address.isSecure, for: address.host) }

    /// Whether the host may be one of the exceptions. False only if no version of libcurl would count it as one.
    private func mayExcept(_ host: String) -> Bool {
        let (name, address) = (Self.trimmed(host), IPAddress(host))
        return exceptions.split { $0 == "," || $0.isWhitespace }.contains { entry in
            if entry == "*" { return true }
            // An entry can be a network, which only newer versions of libcurl understand.
            if let address, entry.contains("/") || IPAddress(entry) == address { return true }
            let domain = Self.trimmed(entry)
            return name == domain || name.hasSuffix("." + domain)
        }
    }

    private static func trimmed(_ name: some StringProtocol) -> String {
        name.trimmingCharacters(in: CharacterSet(charactersIn: ".")).lowercased()
    }
}

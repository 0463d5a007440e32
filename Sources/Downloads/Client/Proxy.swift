internal import Addresses
internal import CLibCurl

/// A proxy, as curl's variables name one.
package struct Proxy: Hashable, Sendable {
    /// The address for libcurl. It may contain a password and must never be shown.
    let url: String
    /// Its name, for messages.
    let host: String
    let port: Int
    /// Whether the proxy is contacted over TLS.
    let isSecure: Bool

    /// - Parameter text: "http://user:password@host:port" and the like; without a scheme, http.
    package init(_ text: String) {
        url = Self.resolvingNamesRemotely(text)
        var (host, scheme, port): (String?, String?, Int?)
        do throws(URLProblem) {
            let parts = try CurlURL(url, allowing: CURLU_GUESS_SCHEME)
            host = parts.read(CURLUPART_HOST)
            scheme = parts.read(CURLUPART_SCHEME)?.lowercased()
            port = parts.read(CURLUPART_PORT).flatMap { Int($0) }
        } catch {
            // libcurl refuses it when it is needed, and that is told of the photo.
        }
        isSecure = scheme == "https"
        self.host = host ?? "that the environment names"
        self.port = port ?? (isSecure ? 443 : 1080)
    }

    /// With socks5 and socks4, libcurl resolves a server's name on this machine and passes the proxy an address that
    /// nothing has checked. Their other forms pass the name to the proxy.
    private static func resolvingNamesRemotely(_ text: String) -> String {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(":/") else { return text }
        let scheme =
            switch text[..<colon].lowercased() {
            case "socks5": "socks5h"
            case "socks4", "socks": "socks4a"
            default: String(text[..<colon])
            }
        return scheme + text[colon...]
    }
}

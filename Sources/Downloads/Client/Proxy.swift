internal import Addresses
internal import CLibCurl

/// A proxy, as curl's environment variables name one.
package struct Proxy: Hashable, Sendable {
    /// The proxy's URL for libcurl. It can contain a password and must never be shown.
    let url: String
    /// The proxy's host name, for messages.
    let host: String
    let port: Int
    /// Whether the proxy is contacted over TLS.
    let isSecure: Bool

    /// - Parameter text: a URL such as "http://user:password@host:port". If the scheme is missing, it is http.
    package init(_ text: String) {
        url = Self.resolvingNamesRemotely(text)
        var (host, scheme, port): (String?, String?, Int?)
        do throws(URLProblem) {
            let parts = try CurlURL(url, allowing: CURLU_GUESS_SCHEME)
            host = parts.read(CURLUPART_HOST)
            scheme = parts.read(CURLUPART_SCHEME)?.lowercased()
            port = parts.read(CURLUPART_PORT).flatMap { Int($0) }
        } catch {
            // libcurl refuses the URL when the proxy is needed, and the photo's failure says so.
        }
        isSecure = scheme == "https"
        self.host = host ?? "that the environment names"
        self.port = port ?? (isSecure ? 443 : 1080)
    }

    /// The URL of the proxy, changed so that the proxy resolves names. With socks5 and socks4, libcurl resolves a
    /// server's name on this machine, and passes the proxy an address that has not been checked. socks5h and socks4a
    /// pass it the name.
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

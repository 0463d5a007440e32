internal import CLibCurl

/// The parts of an absolute URL, as libcurl's parser finds them. User, path, query and fragment are as they were
/// written. The scheme is in lower case, and an IP address is in its usual form.
package struct ParsedURL: Hashable, Sendable {
    package let scheme: String
    /// The user and the password; nil also if nothing precedes the @.
    package var userInfo: String?
    /// The host, with an IPv6 address in brackets and with its zone. It is empty in file URLs.
    package let host: String
    /// Whether the written host is percent-encoded, so that `host` is not what people see.
    package let hasEncodedHost: Bool
    /// The port; nil if none is written.
    package let port: Int?
    /// The path, which begins with a slash.
    package var path: String
    /// The query; nil also if nothing follows the question mark.
    package var query: String?
    /// The fragment; nil also if nothing follows the hash sign.
    package var fragment: String?

    /// - Parameter keepsDots: whether the segments "." and ".." stay in the path (RFC 3986 §5.2.4).
    package init(_ text: String, keepsDots: Bool = false) throws(URLProblem) {
        guard let scheme = URLScheme.of(text) else {
            throw URLProblem(.noScheme, message: "it is neither a path nor begins with http:// or https://")
        }
        self.scheme = scheme
        // libcurl tolerates one slash or three. The part that it then takes for the host may be a path.
        let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
        let slashes = rest.prefix { $0 == UInt8(ascii: "/") }
        guard slashes.count == 2 || scheme == "file" && !slashes.isEmpty else {
            throw URLProblem(.noHost, message: "it has no host")
        }
        let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        let server = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
        hasEncodedHost = server.first != UInt8(ascii: "[") && server.contains(UInt8(ascii: "%"))
        let url = try CurlURL(text, allowing: CURLU_ALLOW_SPACE | (keepsDots ? CURLU_PATH_AS_IS : 0))
        let (user, password) = (url.read(CURLUPART_USER) ?? "", url.read(CURLUPART_PASSWORD))
        userInfo = user.isEmpty && password == nil ? nil : user + (password.map { ":" + $0 } ?? "")
        let host = url.read(CURLUPART_HOST) ?? ""
        self.host = url.read(CURLUPART_ZONEID).map { "\(host.dropLast())%25\($0)]" } ?? host
        port = url.read(CURLUPART_PORT).flatMap { Int($0) }
        guard port != 0 else { throw URLProblem(.badPort, message: "its port is not a number from 1 to 65535") }
        path = url.read(CURLUPART_PATH) ?? "/"
        query = url.read(CURLUPART_QUERY).flatMap { $0.isEmpty ? nil : $0 }
        fragment = url.read(CURLUPART_FRAGMENT).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Resolves a relative reference against this URL (RFC 3986 §5.2.2).
    ///
    /// - Parameter reference: a reference without a scheme.
    package func resolving(_ reference: String) throws(URLProblem) -> ParsedURL {
        let base =
            switch reference.utf8.first {
            case UInt8(ascii: "/") where reference.utf8.starts(with: "//".utf8): scheme + ":"
            case UInt8(ascii: "/"): root
            case UInt8(ascii: "?"): root + path
            case UInt8(ascii: "#"): root + path + (query.map { "?" + $0 } ?? "")
            default: root + folder
            }
        return try ParsedURL(base + reference)
    }

    package var text: String {
        root + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// The host, and the port if one is written.
    package var hostAndPort: String { host + (port.map { ":\($0)" } ?? "") }

    private var root: String { "\(scheme)://\(userInfo.map { $0 + "@" } ?? "")\(hostAndPort)" }

    /// The path up to its last slash.
    private var folder: Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
    }
}

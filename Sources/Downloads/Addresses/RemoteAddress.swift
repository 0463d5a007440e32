internal import Addresses
internal import CLibCurl
internal import Foundation
internal import PhotoModel

/// An http or https address in the form in which it is requested.
struct RemoteAddress: Hashable, Sendable {
    /// The URL of the request, without fragment, user and password. Its query can contain a token, so it must never be
    /// shown.
    let url: String
    /// The host in ASCII (IDNA 2008) and lower case, with an IPv6 address in brackets.
    let host: String
    let port: Int
    let isSecure: Bool
    /// The host and port, by which the transfers per host are counted.
    let hostAndPort: String

    init(_ text: String) throws(Failure) {
        if let plain = PlainURL(text) {
            (url, host, port) = (text, plain.host, plain.port)
            (isSecure, hostAndPort) = (plain.isSecure, plain.hostAndPort)
            return
        }
        // libcurl refuses addresses that are much longer, and is slow with a name of several megabytes.
        guard text.utf8.count <= Self.longest else { throw .badAddress(.tooLong) }
        let parsed = try Self.parsed(text)
        guard ["http", "https"].contains(parsed.scheme) else { throw .unsupportedScheme(parsed.scheme) }
        guard let name = parsed.host.utf8.allSatisfy({ $0 < 0x80 }) ? parsed.host.lowercased() : Self.ascii(parsed.host)
        else { throw .badAddress(.badHostName) }
        isSecure = parsed.scheme == "https"
        host = name
        port = parsed.port ?? (isSecure ? 443 : 80)
        hostAndPort = "\(host):\(port)"
        // Characters are encoded as by browsers (URL Standard §1.3); libcurl's own encoding differs.
        let path = PercentEncoding.encoded(parsed.path, reserved: Self.reserved)
        let query = parsed.query.map { "?" + PercentEncoding.encoded($0, reserved: Self.reserved) } ?? ""
        let written = parsed.port.map { ":\($0)" } ?? ""
        let url = "\(parsed.scheme)://\(host)\(written)\(path)\(query)"
        // A large gallery has many addresses, and nearly all are requested as they are listed. Sharing the string of
        // the list keeps one copy of each in memory.
        self.url = url == text ? text : url
    }

    /// The URL without its query, which can be a secret. Relative addresses do not depend on it (RFC 3986 §5.2.2).
    var withoutQuery: String { String(url.prefix { $0 != "?" }) }

    /// The length of the longest address that is accepted, in bytes; servers accept far fewer.
    private static let longest = 64 * 1024
    private static let reserved = Set("\"<>".utf8)

    private static func parsed(_ text: String) throws(Failure) -> ParsedURL {
        do throws(URLProblem) {
            return try ParsedURL(text)
        } catch {
            throw .malformedAddress(error.message)
        }
    }

    /// Resolves a redirect with libcurl's parser, as libcurl itself would.
    ///
    /// - Parameters:
    ///   - location: the `Location` field of the response.
    ///   - base: the address that was requested.
    init(redirectedTo location: String, from base: RemoteAddress) throws(Failure) {
        if let scheme = URLScheme.of(location), scheme != "http", scheme != "https" {
            throw .unsupportedScheme(scheme)
        }
        guard location.utf8.count <= Self.longest else { throw .badAddress(.redirectTooLong) }
        guard let target = Self.resolved(location, from: base) else {
            throw .badAddress(.invalidOrRedirect)
        }
        guard !target.namesUser else { throw .badAddress(.redirectToUser) }
        try self.init(target.url)
    }

    private static func resolved(_ location: String, from base: RemoteAddress) -> (url: String, namesUser: Bool)? {
        do throws(URLProblem) {
            var parts = try CurlURL(base.url)
            try parts.write(CURLUPART_URL, location, allowing: CURLU_URLENCODE | CURLU_ALLOW_SPACE)
            let namesUser = parts.read(CURLUPART_USER) != nil || parts.read(CURLUPART_PASSWORD) != nil
            return parts.read(CURLUPART_URL).map { ($0, namesUser) }
        } catch {
            return nil
        }
    }

    /// The name of a server in ASCII (IDNA 2008) and lower case; nil if it has no such form. libcurl would decode the
    /// name by the C locale, which is not set under cron.
    static func ascii(_ host: String) -> String? {
        let name = URL(string: "http://\(host)/")?.host(percentEncoded: false)
        return name.flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? $0.lowercased() : nil }
    }
}

internal import PhotoModel

/// Header fields, mostly with tokens, that are sent to one host only, wherever in a transfer that host is contacted.
package struct HostHeaders: Hashable, Sendable {
    /// An origin (RFC 6454 §4): scheme, host and port, spelled as by `RemoteAddress`.
    private struct Origin: Hashable {
        let isSecure: Bool
        let hostAndPort: String

        init(_ address: RemoteAddress) { (isSecure, hostAndPort) = (address.isSecure, address.hostAndPort) }
    }

    /// The header lines for each origin.
    private var lines: [Origin: [String]] = [:]

    package init() {}

    package var isEmpty: Bool { lines.isEmpty }

    /// Adds a header field for a host.
    ///
    /// - Parameter host: a name or an IP address as it is written in an address (IPv6 in brackets), with or without a
    ///   port. Without one, the default port of the scheme is meant. The field is sent over https only, unless
    ///   `http://` precedes the host: then it is sent over both http and https.
    /// - Throws: `HostHeaderProblem`, which never contains the value.
    package mutating func add(_ name: String, _ value: String, to host: String) throws(HostHeaderProblem) {
        let origins = try Self.origins(host)
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { throw .notAName }
        guard !Self.reservedNames.contains(name.lowercased()) else { throw .reserved }
        // libcurl does not send a field whose value is blank.
        guard !value.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { throw .noValue }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .controlCharacter }
        for origin in origins { lines[origin, default: []].append("\(name): \(value)") }
    }

    /// The header lines for the host of an address.
    ///
    /// - Parameter url: the address that is requested, after redirects.
    package func lines(for url: String) -> [String] {
        do throws(Failure) {
            return lines(for: try RemoteAddress(url))
        } catch {
            // An invalid address gets no fields.
            return []
        }
    }

    func lines(for address: RemoteAddress) -> [String] { lines[Origin(address)] ?? [] }

    /// The fields that determine what is requested and how it is transferred. They can't be configured.
    private static let reservedNames: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-authorization", "proxy-connection",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static func origins(_ key: String) throws(HostHeaderProblem) -> [Origin] {
        let (isClear, isSecure) = (key.lowercased().hasPrefix("http://"), key.lowercased().hasPrefix("https://"))
        let host = isClear || isSecure ? String(key.drop { $0 != "/" }.dropFirst(2)) : key
        guard !host.utf8.contains(where: { $0 <= 0x20 || "/?#@\\".utf8.contains($0) }) else { throw .notAHost }
        do {
            let schemes = isClear ? ["http", "https"] : ["https"]
            return try schemes.map { Origin(try RemoteAddress("\($0)://\(host)/")) }
        } catch {
            throw .notAHost
        }
    }

    /// Whether a byte may occur in a token (RFC 9110 §5.6.2), which the name of a field is.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// A defect of a header field in the settings.
package enum HostHeaderProblem: Error, Hashable, Sendable {
    case notAHost
    case notAName
    /// The field is reserved for the transfer itself.
    case reserved
    case noValue
    /// The value contains a control character. A line break would end the field and begin another.
    case controlCharacter
}

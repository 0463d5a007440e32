/// Header fields that go to the one host they are for, and to no other that it redirects to: tokens, mostly.
package struct HostHeaders: Hashable, Sendable {
    /// "host" or "host:port", as `RemoteAddress` spells them → header lines.
    private var lines: [String: [String]] = [:]

    package init() {}

    package var isEmpty: Bool { lines.isEmpty }

    /// - Parameter host: a name or an IP address, as it stands in an address (IPv6 in brackets), with its port or without:
    ///   then at any port.
    /// - Throws: `HostHeaderProblem`, which never holds the value.
    package mutating func add(_ name: String, _ value: String, to host: String) throws(HostHeaderProblem) {
        let key = try Self.key(host)
        guard !name.isEmpty, name.utf8.allSatisfy(Self.mayStandInName) else { throw .notAName }
        guard !Self.ours.contains(name.lowercased()) else { throw .isOurs }
        guard !value.isEmpty else { throw .noValue }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .controlCharacter }
        lines[key, default: []].append("\(name): \(value)")
    }

    /// What goes to the host of an address.
    ///
    /// - Parameters:
    ///   - url: what is being asked, after redirects.
    ///   - isSecure: the first request of the transfer was encrypted. What is not encrypted gets nothing then.
    package func lines(for url: String, after isSecure: Bool) -> [String] {
        let asked = RemoteAddress.facts(of: url)
        guard let host = asked.host?.lowercased(), let port = asked.port, asked.scheme == "https" || !isSecure else {
            return []
        }
        return (lines[host] ?? []) + (lines["\(host):\(port)"] ?? [])
    }

    /// The fields that say what is asked and how it is transferred.
    private static let ours: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-authorization", "proxy-connection",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static func key(_ host: String) throws(HostHeaderProblem) -> String {
        guard !host.utf8.contains(where: { $0 <= 0x20 || "/?#@\\".utf8.contains($0) }) else { throw .notAHost }
        do {
            let address = try RemoteAddress("http://\(host)/")
            let end = host.hasPrefix("[") ? host.drop { $0 != "]" } : host[...]
            return end.contains(":") ? address.hostAndPort : address.host
        } catch {
            throw .notAHost
        }
    }

    /// A token of RFC 9110 §5.6.2.
    private static func mayStandInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// What is wrong with a header field that somebody wants to be sent.
package enum HostHeaderProblem: Error, Hashable, Sendable {
    case notAHost
    case notAName
    /// It belongs to the transfer itself.
    case isOurs
    case noValue
    /// A line break would end the field and begin another.
    case controlCharacter
}

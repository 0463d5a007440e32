internal import CLibCurl
internal import Foundation
internal import PhotoModel

/// An http or https address, taken apart by the parser that libcurl will use for it, or as that one would.
struct RemoteAddress: Hashable, Sendable {
    /// Without fragment, user and password, ready to be asked. Its query may hold a token: never show it.
    let url: String
    /// In ASCII (IDNA 2008), lower case, an IPv6 address in brackets.
    let host: String
    let port: Int
    let isSecure: Bool
    /// Host and port: what the limit of transfers per host counts.
    let hostAndPort: String

    init(_ text: String) throws(Failure) {
        if let plain = PlainAddress(text) {
            (url, host, port) = (text, plain.host, plain.port)
            (isSecure, hostAndPort) = (plain.isSecure, plain.hostAndPort)
            return
        }
        // libcurl refuses what is much longer, and takes its time for a name of megabytes.
        guard text.utf8.count <= Self.longest else { throw .badAddress(.tooLong) }
        guard !text.utf8.contains(0) else { throw .badAddress(.nullCharacter) }
        var parts = try AddressParts(Self.encoded(text))
        let scheme = parts.read(CURLUPART_SCHEME)?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        guard var host = parts.read(CURLUPART_HOST)?.lowercased(), !host.isEmpty else {
            throw .badAddress(.noHost)
        }
        if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let ascii = Self.ascii(host) else { throw .badAddress(.badHostName) }
            try parts.write(CURLUPART_HOST, ascii)
            host = ascii
        }
        try parts.write(CURLUPART_FRAGMENT, nil)
        try parts.write(CURLUPART_USER, nil)
        try parts.write(CURLUPART_PASSWORD, nil)
        guard let url = parts.read(CURLUPART_URL) else { throw .badAddress(.invalid) }
        // A large gallery has many, and nearly all stand in the list as they are asked for: these are held once.
        self.url = url == text ? text : url
        isSecure = scheme == "https"
        self.host = host
        port = parts.read(CURLUPART_PORT).flatMap { Int($0) } ?? (isSecure ? 443 : 80)
        hostAndPort = "\(host):\(port)"
    }

    /// The query may be a secret, and relative addresses do not depend on it (RFC 3986 §5.2.2).
    var withoutQuery: String { String(url.prefix { $0 != "?" }) }

    /// Bytes; servers take far less.
    private static let longest = 64 * 1024

    /// Resolves a redirect with libcurl's parser, as libcurl itself would.
    ///
    /// - Parameters:
    ///   - location: the field of the answer.
    ///   - base: what was asked.
    init(redirectedTo location: String, from base: RemoteAddress) throws(Failure) {
        if let scheme = Self.scheme(of: location), scheme != "http", scheme != "https" {
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
        do throws(Failure) {
            var parts = try AddressParts(base.url)
            try parts.write(CURLUPART_URL, location, allowing: CURLU_URLENCODE | CURLU_ALLOW_SPACE)
            let namesUser = parts.read(CURLUPART_USER) != nil || parts.read(CURLUPART_PASSWORD) != nil
            return parts.read(CURLUPART_URL).map { ($0, namesUser) }
        } catch {
            return nil
        }
    }

    /// The scheme of an absolute address, in lower case (RFC 3986 §3.1); nil where there is none, or none of a
    /// plausible length.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon]
        let isScheme =
            scheme.first?.isLetter == true && scheme.utf8.count <= 32
            && scheme.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0))
            }
        return isScheme ? scheme.lowercased() : nil
    }

    /// The name of a server in ASCII (IDNA 2008), lower case; nil if it has no such form. libcurl would ask the C
    /// locale how to read the name, and cron has none.
    static func ascii(_ host: String) -> String? {
        let name = URL(string: "http://\(host)/")?.host(percentEncoded: false)
        return name.flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? $0.lowercased() : nil }
    }

    /// With what may not stand in path, query and fragment percent-encoded as browsers do it (URL Standard §1.3), which
    /// libcurl does in its own way. What is encoded already stays.
    private static func encoded(_ text: String) -> String {
        var text = text
        let encoded = text.withUTF8 { bytes -> String? in
            guard let start = pathStart(in: bytes), !bytes[start...].allSatisfy(mayStand) else { return nil }
            let digits = Array("0123456789ABCDEF".utf8)
            let rest = bytes[start...].flatMap { byte in
                mayStand(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
            return String(decoding: bytes[..<start] + rest, as: UTF8.self)
        }
        return encoded ?? text
    }

    private static func mayStand(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): false
        default: true
        }
    }

    /// The end of scheme and server; nil if nothing follows.
    private static func pathStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let (colon, slash) = (UInt8(ascii: ":"), UInt8(ascii: "/"))
        var place = 0
        while place + 2 < bytes.count, bytes[place] != colon || bytes[place + 1] != slash || bytes[place + 2] != slash {
            place += 1
        }
        guard place + 2 < bytes.count else { return nil }
        return bytes[(place + 3)...].firstIndex { $0 == slash || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    }
}

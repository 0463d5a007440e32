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
        guard !text.utf8.contains(0) else { throw .badAddress("it holds a null character") }
        var parts = try AddressParts(Self.encoded(text))
        let scheme = parts.read(CURLUPART_SCHEME)?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        guard var host = parts.read(CURLUPART_HOST)?.lowercased(), !host.isEmpty else {
            throw .badAddress("it names no server")
        }
        if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let ascii = Self.ascii(host) else { throw .badAddress("the name of its server is not valid") }
            try parts.write(CURLUPART_HOST, ascii)
            host = ascii
        }
        try parts.write(CURLUPART_FRAGMENT, nil)
        try parts.write(CURLUPART_USER, nil)
        try parts.write(CURLUPART_PASSWORD, nil)
        guard let url = parts.read(CURLUPART_URL) else { throw .badAddress("it is not a valid URL") }
        // A large gallery has many, and nearly all stand in the list as they are asked for: these are held once.
        self.url = url == text ? text : url
        isSecure = scheme == "https"
        self.host = host
        port = parts.read(CURLUPART_PORT).flatMap { Int($0) } ?? (isSecure ? 443 : 80)
        hostAndPort = "\(host):\(port)"
    }

    /// The name of a server in ASCII (IDNA 2008), lower case; nil if it has no such form. libcurl would ask the C locale how
    /// to read the name, and cron has none.
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

    /// Where scheme and server end; nil if there is nothing more.
    private static func pathStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let (colon, slash) = (UInt8(ascii: ":"), UInt8(ascii: "/"))
        var place = 0
        while place + 2 < bytes.count, bytes[place] != colon || bytes[place + 1] != slash || bytes[place + 2] != slash {
            place += 1
        }
        guard place + 2 < bytes.count else { return nil }
        return bytes[(place + 3)...].firstIndex { $0 == slash || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    }

    /// Host, scheme and port of an address that libcurl reports, which need not be one that can be asked; nil for what
    /// cannot be read, and that is all there is to say of it.
    static func facts(of url: String) -> (host: String?, scheme: String?, port: Int?) {
        do {
            let parts = try AddressParts(url)
            let scheme = parts.read(CURLUPART_SCHEME)?.lowercased()
            let port = parts.read(CURLUPART_PORT).flatMap { Int($0) } ?? (scheme == "https" ? 443 : 80)
            return (parts.read(CURLUPART_HOST), scheme, port)
        } catch {
            return (nil, nil, nil)
        }
    }
}

extension Failure {
    /// What is said of a redirect to an address that names a user.
    static let namesUser = "it names a user, which no server may ask for"
}

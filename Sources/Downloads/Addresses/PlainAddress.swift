/// An address that is asked letter by letter as it is written, as nearly all of a large gallery are: libcurl's
/// parser, which would find the same parts, takes ten times as long.
struct PlainAddress {
    let isSecure: Bool
    let host: String
    let port: Int
    let hostAndPort: String

    /// - Returns: nil for what is not plain, and for what cannot be asked: libcurl's parser decides.
    init?(_ text: String) {
        var text = text
        // The bytes are looked at in this call only.
        guard let plain = text.withUTF8(Self.init(reading:)) else { return nil }
        self = plain
    }

    private init?(reading bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= Self.longest, let start = Self.hostStart(in: bytes) else { return nil }
        var end = start
        while end < bytes.count, Self.mayBeInHost(bytes[end]) { end += 1 }
        var path = end
        while path < bytes.count, bytes[path] != UInt8(ascii: "/") { path += 1 }
        guard path < bytes.count, Self.isHost(bytes[start..<end]), Self.isPlainPath(bytes[path...]) else { return nil }
        isSecure = start == Self.secureScheme.utf8CodeUnitCount
        host = String(decoding: bytes[start..<end], as: UTF8.self)
        if end == path {
            port = isSecure ? 443 : 80
            hostAndPort = host + (isSecure ? ":443" : ":80")
        } else {
            guard let port = Self.port(bytes[end..<path]) else { return nil }
            self.port = port
            hostAndPort = String(decoding: bytes[start..<path], as: UTF8.self)
        }
    }

    private static let scheme: StaticString = "http://"
    private static let secureScheme: StaticString = "https://"
    /// Longer addresses may be refused by libcurl.
    private static let longest = 8192
    /// A name is no longer (RFC 1035 §2.3.4).
    private static let longestHost = 253

    private static func hostStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for scheme in [scheme, secureScheme] {
            // The length of a constant string.
            let count = scheme.utf8CodeUnitCount
            if bytes.count > count, (0..<count).allSatisfy({ bytes[$0] == scheme.utf8Start[$0] }) { return count }
        }
        return nil
    }

    /// A name of small letters that begins with one, so that nobody takes it for a number; or four numbers as they
    /// are always written.
    private static func isHost(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = host.first, host.count <= longestHost else { return false }
        if isLetter(first) { return true }
        var (numbers, value, digits) = (1, 0, 0)
        for byte in host {
            if isDigit(byte) {
                // Digits after a zero are octal to some.
                guard digits == 0 || value > 0 else { return false }
                (value, digits) = (value * 10 + Int(byte - 0x30), digits + 1)
                guard value <= 255 else { return false }
            } else {
                guard byte == UInt8(ascii: "."), digits > 0 else { return false }
                (numbers, value, digits) = (numbers + 1, 0, 0)
            }
        }
        return numbers == 4 && digits > 0
    }

    /// - Parameter text: with the colon before it.
    private static func port(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.first != 0x30 else { return nil }
        var port = 0
        for byte in digits {
            guard isDigit(byte) else { return nil }
            port = port * 10 + Int(byte - 0x30)
        }
        return port <= 65_535 ? port : nil
    }

    /// Whether a path, with a query perhaps, is sent as it is.
    private static func isPlainPath(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var last: UInt8 = 0
        for byte in path {
            switch byte {
            case 0...0x20, 0x7F..., UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "\\"):
                return false
            // "/./" and "/../" lead elsewhere, and to newer versions of libcurl "/%2e/" and "/%2e%2e/", too.
            case UInt8(ascii: ".") where last == UInt8(ascii: "/"), UInt8(ascii: "%") where last == UInt8(ascii: "/"):
                return false
            default: last = byte
            }
        }
        return last != UInt8(ascii: "?")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func mayBeInHost(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
}

/// A URL that is requested, shown and remembered exactly as it is written. Nearly all URLs of a large list are plain.
/// This type is a fast path for `ParsedURL`, which finds the same parts.
package struct PlainURL {
    package let isSecure: Bool
    package let host: String
    package let port: Int
    package let hostAndPort: String

    /// The positions of the parts in bytes.
    private struct Layout {
        let isSecure: Bool
        let host: Range<Int>
        let path: Int
        /// The port; nil if none is written.
        let port: Int?
    }

    /// - Returns: nil if the URL is not plain, or can't be requested. Then `ParsedURL` decides.
    package init?(_ text: String) {
        var text = text
        // The pointer to the bytes does not leave this call.
        guard let plain = text.withUTF8(Self.init(reading:)) else { return nil }
        self = plain
    }

    package static func isPlain(_ text: String) -> Bool {
        var text = text
        // The pointer to the bytes does not leave this call.
        return text.withUTF8 { layout(of: $0) != nil }
    }

    private init?(reading bytes: UnsafeBufferPointer<UInt8>) {
        guard let layout = Self.layout(of: bytes) else { return nil }
        isSecure = layout.isSecure
        host = String(decoding: bytes[layout.host], as: UTF8.self)
        port = layout.port ?? (isSecure ? 443 : 80)
        hostAndPort =
            layout.port == nil
            ? host + (isSecure ? ":443" : ":80")
            : String(decoding: bytes[layout.host.lowerBound..<layout.path], as: UTF8.self)
    }

    private static func layout(of bytes: UnsafeBufferPointer<UInt8>) -> Layout? {
        guard bytes.count <= longest, let start = hostStart(in: bytes) else { return nil }
        var end = start
        while end < bytes.count, mayBeInHost(bytes[end]) { end += 1 }
        var path = end
        while path < bytes.count, bytes[path] != UInt8(ascii: "/") { path += 1 }
        guard path < bytes.count, isHost(bytes[start..<end]), isPlainPath(bytes[path...]) else { return nil }
        let port = end == path ? nil : port(bytes[end..<path])
        guard end == path || port != nil else { return nil }
        return Layout(isSecure: bytes[4] == UInt8(ascii: "s"), host: start..<end, path: path, port: port)
    }

    /// The length of the longest plain URL in bytes. Longer ones are cut when they are shown, and no host is longer
    /// than 253 (RFC 1035 §2.3.4).
    private static let longest = 200

    private static func hostStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for scheme: StaticString in ["http://", "https://"] {
            // The index stays within the constant string, whose length is `count`.
            let count = scheme.utf8CodeUnitCount
            if bytes.count > count, (0..<count).allSatisfy({ bytes[$0] == scheme.utf8Start[$0] }) { return count }
        }
        return nil
    }

    /// Whether the host is plain: a lower-case name that begins with a letter, so that nobody takes it for a number, or
    /// four numbers in their usual form.
    private static func isHost(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = host.first else { return false }
        if isLetter(first) { return true }
        var (numbers, value, digits) = (1, 0, 0)
        for byte in host {
            if isDigit(byte) {
                // Some parsers read digits after a zero as octal.
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

    /// - Parameter text: the port with its colon.
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

    /// Whether a path is sent and shown as it is. An @, encoded or not, can end a password, which must not be shown,
    /// and %25 can begin an @ that was encoded twice.
    private static func isPlainPath(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var last: UInt8 = 0
        for (index, byte) in zip(path.indices, path) {
            switch byte {
            case 0...0x20, 0x7F..., UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "\""),
                UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
                UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                return false
            // "/./" and "/../" lead elsewhere. To newer versions of libcurl, so do "/%2e/" and "/%2e%2e/".
            case UInt8(ascii: ".") where last == UInt8(ascii: "/"), UInt8(ascii: "%") where last == UInt8(ascii: "/"):
                return false
            case UInt8(ascii: "%") where path[index...].starts(with: "%40".utf8),
                UInt8(ascii: "%") where path[index...].starts(with: "%25".utf8):
                return false
            default: last = byte
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func mayBeInHost(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
}

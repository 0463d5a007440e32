internal import PhotoModel

/// What a server is asked for: photos of which this is the same are one transfer, however differently their addresses are written.
package struct AskedAddress: Hashable, Sendable {
    package let text: String

    /// An address that cannot be asked stands for itself.
    package init(_ url: String) {
        if Self.isPlain(url) {
            text = url
            return
        }
        do throws(Failure) {
            text = try RemoteAddress(url).url
        } catch {
            text = url
        }
    }

    /// Whether it is written as it is asked: so are most of a large gallery, and taking them apart takes longer than this.
    private static func isPlain(_ url: String) -> Bool {
        var text = url
        return text.withUTF8 { bytes in
            guard let host = hostStart(in: bytes), host < bytes.count, isLetter(bytes[host]) else { return false }
            let path = bytes[host...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
            guard path < bytes.count, bytes[host..<path].allSatisfy(mayBeInHost) else { return false }
            var last: UInt8 = 0
            for byte in bytes[path...] {
                switch byte {
                case 0...0x20, 0x7F..., UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
                    UInt8(ascii: "\\"):
                    return false
                // "/./" and "/../" lead elsewhere.
                case UInt8(ascii: ".") where last == UInt8(ascii: "/"): return false
                default: last = byte
                }
            }
            return last != UInt8(ascii: "?")
        }
    }

    private static func hostStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] where bytes.starts(with: scheme.utf8) { return scheme.utf8.count }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func mayBeInHost(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
    }
}

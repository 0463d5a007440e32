/// Recognises URLs that are sent and shown letter by letter as they are written, as nearly all of a large list are:
/// to take them apart and to put them together again, with the same result, takes twenty times as long.
/// `PlainAddress` of Downloads is about what is asked, where a query may be, and hosts are in small letters.
enum PlainURL {
    /// - Returns: false for any that might be written in another way, or cannot be used.
    static func isPlain(_ text: String) -> Bool {
        var text = text
        // The bytes are looked at in this call only.
        return text.withUTF8 { bytes in
            guard bytes.count <= ShownAddress.maximumLength, let start = hostStart(in: bytes) else { return false }
            var place = start
            while place < bytes.count, mayBeInHost(bytes[place]) { place += 1 }
            guard place > start else { return false }
            if place < bytes.count, bytes[place] == UInt8(ascii: ":") {
                let digits = bytes[(place + 1)...].prefix { isDigit($0) }
                // Five digits may be too large a port.
                guard (1...4).contains(digits.count) || digits.count == 5 && bytes[place + 1] < UInt8(ascii: "6"),
                    digits.first != UInt8(ascii: "0")
                else { return false }
                place += 1 + digits.count
            }
            guard place < bytes.count, bytes[place] == UInt8(ascii: "/") else { return false }
            return bytes[place...].allSatisfy(mayBeInPath) && !hasEncodedAt(bytes[place...])
        }
    }

    private static func hostStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for scheme: StaticString in ["http://", "https://"] {
            // The length of a constant string.
            let count = scheme.utf8CodeUnitCount
            if bytes.count > count, (0..<count).allSatisfy({ bytes[$0] == scheme.utf8Start[$0] }) { return count }
        }
        return nil
    }

    private static func mayBeInHost(_ byte: UInt8) -> Bool {
        URLReference.isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// Bytes that are left out of a shown URL, or encoded in a request, are not plain.
    private static func mayBeInPath(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F..., UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "\""),
            UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
            UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: true
        }
    }

    /// %40, or %25, which may begin one that was encoded twice: an @ may end a password that is not shown.
    private static func hasEncodedAt(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "%")
                && (bytes[index...].starts(with: "%40".utf8) || bytes[index...].starts(with: "%25".utf8))
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The decoded text; nil if a percent sign is not followed by two hexadecimal digits, or if the result is not
    /// UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        result.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    return nil
                }
                result.append(high << 4 | low)
            } else {
                result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    /// The text with every byte encoded that a URL must not contain: those that are not ASCII, white space, and the
    /// bytes of `reserved`. Characters that are already encoded stay as they are.
    package static func encoded(_ text: String, reserved: Set<UInt8>) -> String {
        func mayStand(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && !reserved.contains(byte) }
        if text.utf8.allSatisfy(mayStand) { return text }
        let bytes = text.utf8.flatMap { byte in
            mayStand(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

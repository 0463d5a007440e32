/// Checks the text of `integer`, `real`, `date`, `data`, `true` and `false`.
enum PropertyListScalar {
    /// The value of an `element` with this text.
    static func content(
        of element: PropertyListElement, text: String, at position: TextPosition
    ) throws(ManifestError) -> PropertyListValue.Content {
        let bare = WhiteSpace.trimmed(text)
        let content: PropertyListValue.Content? =
            switch element {
            case .integer: integer(bare).map { .number($0) }
            case .real: real(bare).map { .number($0) }
            case .date: isDate(bare) ? .date(bare) : nil
            case .data: isBase64(text) ? .data : nil
            case .true, .false: bare.isEmpty ? .boolean : nil
            case .string, .key, .dict, .array: .string(text)
            }
        guard let content else {
            throw .brokenPropertyList(.badValue(bare, element: element.rawValue), position)
        }
        return content
    }

    /// The value of a decimal number with an optional sign, or of a hexadecimal number after 0x, of at most 64 bits, as
    /// Core Foundation reads them; nil for any other text.
    private static func integer(_ text: String) -> Double? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let hasSign = isNegative || text.utf8.first == UInt8(ascii: "+")
        let digits = text.utf8.dropFirst(hasSign ? 1 : 0)
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        let bare = Substring(isHexadecimal ? digits.dropFirst(2) : digits)
        // UInt64 would accept a second sign.
        guard let first = bare.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let magnitude = UInt64(bare, radix: isHexadecimal ? 16 : 10),
            !isNegative || magnitude <= Int64.min.magnitude
        else { return nil }
        return isNegative ? -Double(magnitude) : Double(magnitude)
    }

    private static func real(_ text: String) -> Double? {
        Double(text)
    }

    /// Whether a text has the form `YYYY-MM-DDThh:mm:ssZ`, the only one that property lists have. It is RFC 3339 in
    /// UTC.
    private static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00Z".utf8)
        let zero = UInt8(ascii: "0")
        guard bytes.count == form.count,
            zip(bytes, form).allSatisfy({ $1 == zero ? (zero...zero + 9).contains($0) : $0 == $1 })
        else { return false }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - zero) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        guard (1...12).contains(month) else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day) && number(11..<13) < 24 && number(14..<16) < 60 && number(17..<19) < 60
    }

    /// Whether a text consists of letters, digits, + and / (RFC 4648 §4), with white space anywhere and padding at the
    /// end.
    private static func isBase64(_ text: String) -> Bool {
        let bytes = text.utf8.filter { !WhiteSpace.contains($0) }
        let digits = bytes.prefix { $0 != UInt8(ascii: "=") }
        let padding = bytes.dropFirst(digits.count)
        return padding.count <= 2 && padding.allSatisfy { $0 == UInt8(ascii: "=") }
            && digits.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}

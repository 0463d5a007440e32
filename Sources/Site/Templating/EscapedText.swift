/// How text becomes part of HTML and XML.
///
/// Not Mustache's own way, which goes by grapheme clusters: a quotation mark with a combining mark after it is another
/// cluster, is left as it is, and ends the attribute.
enum EscapedText {
    /// Appends `text` for an element's content or a quoted attribute, in HTML or in XML. Characters that XML 1.0
    /// (§2.2) does not allow become U+FFFD.
    static func append(_ text: String, to output: inout [UInt8]) {
        guard text.utf8.contains(where: mayNeedEscape) else {
            output.append(contentsOf: text.utf8)
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output.append(contentsOf: "&amp;".utf8)
            case "<": output.append(contentsOf: "&lt;".utf8)
            case ">": output.append(contentsOf: "&gt;".utf8)
            case "\"": output.append(contentsOf: "&quot;".utf8)
            case "'": output.append(contentsOf: "&#39;".utf8)
            case "\t", "\n", "\r": output.append(UInt8(scalar.value))
            case _ where scalar < " " || scalar.value & 0xFFFE == 0xFFFE && scalar.value < 0x1_0000:
                output.append(contentsOf: "\u{FFFD}".utf8)
            default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
            true
        // The first byte of U+FFFE and U+FFFF.
        case 0xEF: true
        default: false
        }
    }
}

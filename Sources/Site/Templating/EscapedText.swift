/// Escapes text for HTML and XML.
///
/// Escaping works on bytes. The library swift-mustache escapes grapheme clusters instead: a quotation mark followed by
/// a combining mark is a cluster of its own, which would not be escaped and would end the attribute.
enum EscapedText {
    /// Appends `text` for an element's content or a quoted attribute, in HTML or in XML. Characters that XML 1.0 (§2.2)
    /// does not allow become U+FFFD.
    static func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in append(bytes, to: &output) }
    }

    /// - Parameter bytes: text in UTF-8.
    static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        // This is safe: the buffer is only read during this call, while its owner keeps it alive, and only within its
        // bounds.
        var clean = bytes.startIndex
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let (length, replacement) = escape(bytes, at: index)
            if let replacement {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean..<index]))
                output.append(contentsOf: replacement.utf8)
                clean = index + length
            }
            index += length
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean...]))
    }

    /// - Returns: the number of bytes that form a character, and their replacement; nil if they stay as they are.
    private static func escape(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (length: Int, StaticText?) {
        switch bytes[index] {
        case UInt8(ascii: "&"): (1, .ampersand)
        case UInt8(ascii: "<"): (1, .less)
        case UInt8(ascii: ">"): (1, .greater)
        case UInt8(ascii: "\""): (1, .quotation)
        case UInt8(ascii: "'"): (1, .apostrophe)
        case 0x09, 0x0A, 0x0D: (1, nil)
        case 0..<0x20: (1, .replacement)
        // The bytes EF BF BE and EF BF BF are U+FFFE and U+FFFF.
        case 0xEF where index + 2 < bytes.endIndex && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE:
            (3, .replacement)
        default: (1, nil)
        }
    }

    /// The texts that replace characters.
    private enum StaticText: String {
        case ampersand = "&amp;"
        case less = "&lt;"
        case greater = "&gt;"
        case quotation = "&quot;"
        case apostrophe = "&#39;"
        case replacement = "\u{FFFD}"

        var utf8: String.UTF8View { rawValue.utf8 }
    }
}

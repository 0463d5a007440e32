/// The width of text on a terminal, in columns.
package enum TextWidth {
    package static func columns(of text: String) -> Int {
        text.utf8.allSatisfy({ $0 < 0x80 }) ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The text padded with spaces to a width.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(of: text)))
    }

    /// The text, cut with an ellipsis if it is wider than `width` columns.
    package static func shortened(_ text: String, to width: Int) -> String {
        guard columns(of: text) > width else { return text }
        guard width > 0 else { return "" }
        var (result, used) = ("", 1)
        for character in text {
            used += columns(of: character)
            if used > width { break }
            result.append(character)
        }
        return result + "…"
    }

    /// The width is 2 for an ideograph or emoji (Unicode TR #11), and 1 for any other character. Combining marks are
    /// part of the character before them.
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") || scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

/// Removes comments and unnecessary white space from a script.
///
/// This is no general minifier: names stay as they are. It requires that a script ends its statements with semicolons,
/// nests no template literals, and has no regular expression directly after a word (`return /x/`).
package struct ScriptMinifier {
    private let source: [UInt8]
    private var index = 0
    package private(set) var bytes: [UInt8] = []

    package init(_ source: [UInt8]) {
        self.source = source
        bytes.reserveCapacity(source.count)
        while index < source.count { advance() }
    }

    private mutating func advance() {
        let byte = source[index]
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"):
            skipSpace()
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            copyLiteral(endingWith: byte)
        case UInt8(ascii: "/") where isComment(at: index):
            skipSpace()
        case UInt8(ascii: "/") where bytes.last.map(Self.mayComeBeforeExpression) ?? true:
            copyLiteral(endingWith: byte)
        default:
            bytes.append(byte)
            index += 1
        }
    }

    private func isComment(at index: Int) -> Bool {
        index + 1 < source.count && source[index] == UInt8(ascii: "/")
            && (source[index + 1] == UInt8(ascii: "/") || source[index + 1] == UInt8(ascii: "*"))
    }

    /// Skips consecutive spaces, line breaks and comments, and keeps one character of white space if it is significant.
    private mutating func skipSpace() {
        var hasLineEnd = false
        while index < source.count {
            if isComment(at: index) {
                skipComment()
            } else if source[index] == UInt8(ascii: " ") || source[index] == UInt8(ascii: "\n") {
                hasLineEnd = hasLineEnd || source[index] == UInt8(ascii: "\n")
                index += 1
            } else {
                break
            }
        }
        guard let before = bytes.last, index < source.count else { return }
        let after = source[index]
        if hasLineEnd {
            // Unless the line ends or the next one begins with such a character, the line break might stand for a
            // semicolon.
            if !Self.continuing.contains(before) && !Self.continued.contains(after) { bytes.append(UInt8(ascii: "\n")) }
        } else if Self.isOfWord(before) && Self.isOfWord(after) || before == after && "+-/".utf8.contains(before) {
            bytes.append(UInt8(ascii: " "))
        }
    }

    private mutating func skipComment() {
        let isLine = source[index + 1] == UInt8(ascii: "/")
        index += 2
        while index < source.count {
            if isLine && source[index] == UInt8(ascii: "\n") { return }
            index += 1
            if !isLine && index + 1 < source.count && source[index - 1] == UInt8(ascii: "*")
                && source[index] == UInt8(ascii: "/")
            {
                index += 1
                return
            }
        }
    }

    /// Copies a string, a template literal or a regular expression. In a regular expression, a slash in brackets does
    /// not end it.
    private mutating func copyLiteral(endingWith end: UInt8) {
        var isInBrackets = false
        repeat {
            let byte = source[index]
            if byte == UInt8(ascii: "\\") && index + 1 < source.count {
                bytes.append(byte)
                index += 1
            } else if end == UInt8(ascii: "/") {
                if byte == UInt8(ascii: "[") { isInBrackets = true }
                if byte == UInt8(ascii: "]") { isInBrackets = false }
            }
            bytes.append(source[index])
            index += 1
        } while index < source.count && (source[index] != end || isInBrackets)
        if index < source.count {
            bytes.append(end)
            index += 1
        }
    }

    private static let continuing = Array("{[(,;:?=&|".utf8)
    private static let continued = Array("}]),;:?=&|.".utf8)

    /// Whether a slash after this byte begins a regular expression and is not a division.
    private static func mayComeBeforeExpression(_ byte: UInt8) -> Bool {
        "(,=:[!&|?{};>\n".utf8.contains(byte)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "#"), 0x80...:
            true
        default: false
        }
    }
}

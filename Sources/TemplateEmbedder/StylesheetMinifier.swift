/// Removes comments and unnecessary white space from a style sheet.
///
/// Space before a colon is kept, because `a :hover` is not `a:hover`. So is space around `+`, `-` and `*`, which
/// `calc()` requires.
package struct StylesheetMinifier {
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
        if Self.isSpace(byte) || isComment {
            skipSpace()
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            copyString(endingWith: byte)
        } else {
            // The last declaration of a block needs no semicolon.
            if byte == UInt8(ascii: "}"), bytes.last == UInt8(ascii: ";") { bytes.removeLast() }
            bytes.append(byte)
            index += 1
        }
    }

    private var isComment: Bool { source[index...].starts(with: "/*".utf8) }

    private mutating func skipSpace() {
        while index < source.count, Self.isSpace(source[index]) || isComment {
            if isComment { skipComment() } else { index += 1 }
        }
        guard let before = bytes.last, index < source.count else { return }
        let mayGo = "{};,>:(".utf8.contains(before) || "{};,>)".utf8.contains(source[index])
        if !mayGo { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func skipComment() {
        index += 2
        while index < source.count, !source[index...].starts(with: "*/".utf8) { index += 1 }
        index = min(index + 2, source.count)
    }

    private mutating func copyString(endingWith end: UInt8) {
        repeat {
            if source[index] == UInt8(ascii: "\\"), index + 1 < source.count {
                bytes.append(source[index])
                index += 1
            }
            bytes.append(source[index])
            index += 1
        } while index < source.count && source[index] != end
        if index < source.count {
            bytes.append(end)
            index += 1
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { " \n\t".utf8.contains(byte) }
}

/// White space as XML 1.0 §2.3 defines it. Texts are handled as bytes: Swift joins a carriage return and a line feed,
/// or a space and a combining mark, to one Character that is neither.
package enum WhiteSpace {
    package static func contains(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// The text without white space at its ends.
    package static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.first.map(contains) == true || bytes.last.map(contains) == true else { return text }
        guard let first = bytes.firstIndex(where: { !contains($0) }),
            let last = bytes.lastIndex(where: { !contains($0) })
        else { return "" }
        return String(text[first...last])
    }

    /// The text without white space at its ends, and with one space for each run of it inside that has a line break or
    /// a tab. XML formatters leave such runs. Several spaces in a row are the author's spelling, and stay.
    package static func collapsed(_ text: String) -> String {
        collapsed(text) { _ in " " }
    }

    /// The text as in `collapsed`, but with its author's line breaks. A line break stays if the next line is not
    /// indented, since XML formatters indent what they break. Of several line breaks, two stay: an empty line.
    package static func collapsedLines(_ text: String) -> String {
        collapsed(text) { run in
            switch lineBreaks(in: run) {
            case 0: " "
            case 1: run.last.map(isLineBreak) == true ? "\n" : " "
            default: "\n\n"
            }
        }
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// The number of line breaks. A carriage return with a line feed is one.
    private static func lineBreaks(in run: ArraySlice<UInt8>) -> Int {
        let pairs = zip(run, run.dropFirst()).count { $0 == 0x0D && $1 == 0x0A }
        return run.count(where: isLineBreak) - pairs
    }

    /// - Parameter replacement: returns what takes the place of a run of white space with a line break or a tab.
    private static func collapsed(_ text: String, _ replacement: (ArraySlice<UInt8>) -> String) -> String {
        let space = UInt8(ascii: " ")
        let trimmed = trimmed(text)
        guard trimmed.utf8.contains(where: { contains($0) && $0 != space }) else { return trimmed }
        var result: [UInt8] = []
        var rest = Array(trimmed.utf8)[...]
        while !rest.isEmpty {
            result += rest.prefix { !contains($0) }
            rest = rest.drop { !contains($0) }
            let run = rest.prefix(while: contains)
            result += run.allSatisfy { $0 == space } ? run : Array(replacement(run).utf8)[...]
            rest = rest.dropFirst(run.count)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

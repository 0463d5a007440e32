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
        let space = UInt8(ascii: " ")
        let trimmed = trimmed(text)
        guard trimmed.utf8.contains(where: { contains($0) && $0 != space }) else { return trimmed }
        var result: [UInt8] = []
        var rest = Array(trimmed.utf8)[...]
        while !rest.isEmpty {
            result += rest.prefix { !contains($0) }
            rest = rest.drop { !contains($0) }
            let run = rest.prefix(while: contains)
            result += run.allSatisfy { $0 == space } ? run : [space]
            rest = rest.dropFirst(run.count)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

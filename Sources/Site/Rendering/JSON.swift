/// A JSON value (RFC 8259) whose objects keep the order of their keys. Foundation's encoder can only sort keys, and
/// takes eight times as long.
package enum JSON: ExpressibleByDictionaryLiteral, Sendable {
    case null
    case number(Int64)
    case text(String)
    case list([JSON])
    case object([(key: String, value: JSON)])

    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }

    package static func number(_ number: (some FixedWidthInteger)?) -> JSON {
        number.map { .number(Int64($0)) } ?? .null
    }

    package static func text(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }

    /// The value as UTF-8, without white space.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the value as UTF-8, without white space.
    func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .number(let number): output += String(number).utf8
        case .text(let text): Self.write(text, to: &output)
        case .list(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string in quotation marks.
    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        writeEscaped(text, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Appends a part of a string. RFC 8259 §7: quotation mark, reverse solidus and control characters are escaped.
    static func writeEscaped(_ text: String, to output: inout [UInt8]) {
        var text = text
        // This is safe: the buffer is only read inside the closure, and only within its bounds.
        text.withUTF8 { bytes in
            // Nearly all texts are appended as they are. This loop has no early exit, so that it is vectorised.
            let found = bytes.reduce(UInt8(0)) { $0 | (needsEscape($1) ? 1 : 0) }
            guard found != 0 else { return output.append(contentsOf: bytes) }
            var clean = bytes.startIndex
            for index in bytes.indices {
                let byte = bytes[index]
                guard needsEscape(byte) else { continue }
                output.append(contentsOf: bytes[clean..<index])
                output.append(contentsOf: escape(byte).utf8)
                clean = index + 1
            }
            output.append(contentsOf: bytes[clean...])
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): #"\""#
        case UInt8(ascii: "\\"): #"\\"#
        case UInt8(ascii: "\n"): #"\n"#
        case UInt8(ascii: "\t"): #"\t"#
        default: #"\u00"# + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}

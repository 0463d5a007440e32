/// Parses JSON, and JSON Lines, which is a sequence of values. Foundation's parser loses the order of members.
struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private var count = 0
    /// The numbers of the lines on which the values at the top level begin, from 1.
    private(set) var lines: [Int] = []

    /// - Parameter bytes: the text in UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// All values at the top level. There is only one unless the text is JSON Lines.
    mutating func values() throws(ImportError) -> [JSONValue] {
        var values: [JSONValue] = []
        var (line, lineEnd) = (1, 0)
        skipSpace()
        while index < bytes.count {
            line += bytes[lineEnd..<index].count { $0 == UInt8(ascii: "\n") }
            lineEnd = index
            lines.append(line)
            values.append(try value(depth: 0))
            skipSpace()
        }
        return values
    }

    private mutating func value(depth: Int) throws(ImportError) -> JSONValue {
        guard depth < ImportLimits.jsonDepth else { throw fault(.tooDeep(limit: ImportLimits.jsonDepth)) }
        count += 1
        guard count <= ImportLimits.jsonValues else { throw fault(.tooManyValues(limit: ImportLimits.jsonValues)) }
        skipSpace()
        guard index < bytes.count else { throw fault(.endOfText) }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        default:
            for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
            where bytes[index...].starts(with: word.utf8) {
                index += word.utf8.count
                return value
            }
            throw unexpected
        }
    }

    private mutating func object(depth: Int) throws(ImportError) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        index += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipSpace()
            guard index < bytes.count else { throw fault(.endOfText) }
            guard bytes[index] == UInt8(ascii: "\"") else { throw unexpected }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected }
            members.append((key, try value(depth: depth + 1)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw unexpected }
        }
    }

    private mutating func array(depth: Int) throws(ImportError) -> JSONValue {
        var elements: [JSONValue] = []
        index += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw unexpected }
        }
    }

    private mutating func number() throws(ImportError) -> JSONValue {
        let start = index
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) || "+-.eE".utf8.contains(bytes[index]) {
            index += 1
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard Double(text) != nil else {
            index = start
            throw fault(.badNumber)
        }
        return .number(text)
    }

    private mutating func string() throws(ImportError) -> String {
        index += 1
        var result: [UInt8] = []
        var start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                result += bytes[start..<index]
                index += 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                result += bytes[start..<index]
                result += String(try escape()).utf8
                start = index
            case 0..<0x20: throw fault(.controlCharacter)
            default: index += 1
            }
        }
        throw fault(.endOfText)
    }

    private mutating func escape() throws(ImportError) -> Unicode.Scalar {
        guard index + 1 < bytes.count else { throw fault(.endOfText) }
        let simple: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
        ]
        if let scalar = simple[bytes[index + 1]] {
            index += 2
            return scalar
        }
        guard let high = unit(at: index) else { throw fault(.badEscape) }
        index += 6
        if let scalar = Unicode.Scalar(high) { return scalar }
        // A character beyond U+FFFF is written as two surrogates. A surrogate alone stands for no character.
        guard (0xD800..<0xDC00).contains(high), let low = unit(at: index), (0xDC00..<0xE000).contains(low) else {
            return "\u{FFFD}"
        }
        index += 6
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    /// The UTF-16 code unit of an escape such as \u00e9.
    private func unit(at index: Int) -> UInt32? {
        guard index + 5 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u"),
            bytes[index + 2] != UInt8(ascii: "+"), bytes[index + 2] != UInt8(ascii: "-")
        else { return nil }
        return UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    private var unexpected: ImportError {
        index < bytes.count
            ? fault(.unexpected(String(String(decoding: bytes[index...].prefix(20), as: UTF8.self).prefix(1))))
            : fault(.endOfText)
    }

    private func fault(_ fault: JSONFault) -> ImportError {
        let before = bytes[..<min(index, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return .json(fault, line: line, column: before[start...].count { $0 & 0xC0 != 0x80 } + 1)
    }
}

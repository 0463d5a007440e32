/// Parses CSV (RFC 4180) row by row. SwiftCSV 0.10.0 is not used, because it accepts a quoted field that never ends,
/// reports no positions, and trims fields. This parser accepts more than the standard allows: any line break, and a
/// quote inside a field that does not start with one, where it is text (`5" x 7"`).
struct CSVParser {
    private let bytes: [UInt8]
    private let delimiter: UInt8
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The number of the row that was read last, as a spreadsheet counts rows: from 1, and with empty rows. A line that
    /// names the delimiter is none.
    private(set) var rowNumber = 0

    /// A position in the text. Its column is computed only when an error needs it.
    private struct Position {
        let line: Int
        let lineStart: Int
        let index: Int
    }

    private static let quote = UInt8(ascii: "\"")

    /// - Parameter bytes: the text in UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let first = Self.firstLine(of: bytes)
        if let named = Self.delimiter(namedBy: first) {
            delimiter = named
            index = first.endIndex
            if index < bytes.count { takeLineBreak() }
        } else {
            delimiter = Self.delimiter(of: first) ?? UInt8(ascii: ",")
        }
    }

    static func firstLine(of text: [UInt8]) -> ArraySlice<UInt8> {
        text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }

    /// The delimiter that a line above the header names, as Excel writes and reads it: `sep=;`. Programs that write CSV
    /// put the line in quotes, because it contains the delimiter. Some people write a tab as `\t`.
    static func delimiter(namedBy line: ArraySlice<UInt8>) -> UInt8? {
        let isQuoted = line.count > 1 && line.first == quote && line.last == quote
        let text = isQuoted ? line.dropFirst().dropLast() : line
        guard String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=" else { return nil }
        let value = text.dropFirst(4)
        if value.elementsEqual(#"\t"#.utf8) { return UInt8(ascii: "\t") }
        guard value.count == 1, let delimiter = value.first, delimiter < 0x80, delimiter != quote else { return nil }
        return delimiter
    }

    /// The delimiter that occurs most often in the header, outside quotes: `,`, `;`, tab or `|`; nil if there is none.
    static func delimiter(of header: ArraySlice<UInt8>) -> UInt8? {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in header.prefix(100_000) {
            if byte == quote { isQuoted.toggle() }
            if !isQuoted, ",;\t|".utf8.contains(byte) { counts[byte, default: 0] += 1 }
        }
        return Array(",;\t|".utf8).max { counts[$0, default: 0] < counts[$1, default: 0] }.flatMap {
            counts[$0] == nil ? nil : $0
        }
    }

    /// The fields of the next row that is not empty; nil at the end.
    mutating func next() throws(ImportError) -> [String]? {
        while index < bytes.count {
            let row = try row()
            rowNumber += 1
            if row.count > 1 || row.first?.isEmpty == false { return row }
        }
        return nil
    }

    private mutating func row() throws(ImportError) -> [String] {
        var fields: [String] = []
        while true {
            guard fields.count < ImportLimits.columns else {
                throw fault(.tooManyColumns(limit: ImportLimits.columns), at: position)
            }
            fields.append(String(decoding: try field(), as: UTF8.self))
            guard index < bytes.count else { return fields }
            if bytes[index] == delimiter {
                index += 1
                continue
            }
            takeLineBreak()
            return fields
        }
    }

    private mutating func field() throws(ImportError) -> [UInt8] {
        guard index < bytes.count, bytes[index] == Self.quote else {
            let start = index
            while index < bytes.count, bytes[index] != delimiter, !isLineBreak(bytes[index]) { index += 1 }
            return try bounded(
                Array(bytes[start..<index]), Position(line: line, lineStart: lineStart, index: start))
        }
        let open = Position(line: line, lineStart: lineStart, index: index)
        index += 1
        var field: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.quote {
                index += 1
                guard index < bytes.count, bytes[index] == Self.quote else {
                    return try ended(field, open)
                }
                field.append(byte)
                index += 1
            } else if isLineBreak(byte) {
                takeLineBreak()
                field.append(UInt8(ascii: "\n"))
            } else {
                field.append(byte)
                index += 1
            }
        }
        throw fault(.openQuote, at: open)
    }

    /// Checks that nothing but spaces follows the closing quote.
    private mutating func ended(_ field: [UInt8], _ open: Position) throws(ImportError) -> [UInt8] {
        while index < bytes.count, bytes[index] == UInt8(ascii: " "), delimiter != bytes[index] { index += 1 }
        guard index == bytes.count || bytes[index] == delimiter || isLineBreak(bytes[index]) else {
            throw fault(.textAfterQuote, at: position)
        }
        return try bounded(field, open)
    }

    private func bounded(_ field: [UInt8], _ position: Position) throws(ImportError) -> [UInt8] {
        guard field.count <= ImportLimits.fieldLength else {
            throw fault(.longField(limit: ImportLimits.fieldLength), at: position)
        }
        return field
    }

    private func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private mutating func takeLineBreak() {
        let isReturn = bytes[index] == UInt8(ascii: "\r")
        index += 1
        if isReturn, index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
        line += 1
        lineStart = index
    }

    private var position: Position { Position(line: line, lineStart: lineStart, index: index) }

    /// An error at a position. Columns are counted in characters, from 1.
    private func fault(_ fault: CSVFault, at position: Position) -> ImportError {
        let column = bytes[position.lineStart..<position.index].count { $0 & 0xC0 != 0x80 } + 1
        return .csv(fault, line: position.line, column: column)
    }
}

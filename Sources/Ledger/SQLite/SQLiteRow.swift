internal import CLibSQLite
internal import GRDB
internal import PhotoModel

/// The columns of the row that a statement stands on, read without the copy that GRDB makes of each value: a snapshot
/// reads some hundred thousand of them. A value of another type, which only a damaged file holds, is an error.
struct SQLiteRow {
    /// A value that SQLite returned once: a row's checksum covers the same values that are used.
    enum Cell {
        case null
        case integer(Int64)
        /// UTF-8.
        case text(UnsafeBufferPointer<UInt8>)
        /// The value has a type that no column has.
        case other
    }

    /// Safe to use: `Database.run`, which alone makes `SQLiteRow`, keeps them until it goes on to the next row, and
    /// SQLite the texts.
    private let cells: UnsafeBufferPointer<Cell>

    init(_ cells: UnsafeBufferPointer<Cell>) { self.cells = cells }

    /// Calls `read` for each row of a table, in one scope, after looking at its sum; and looks at the table's total
    /// last.
    static func forEach(
        _ table: Table, in scope: String? = nil, _ database: Database, _ read: (SQLiteRow) throws -> Void
    ) throws {
        let recorded = try TableChecksum.recorded(table, scope ?? "", database)
        var total = TableChecksum()
        try database.run(table.selectAll, scope.map { [.string($0)] } ?? []) { row in
            total.add(try row.checkedSum(of: table))
            try read(row)
        }
        guard total == recorded else { throw damaged("rows of \(table.name) are lost") }
    }

    /// Calls `read` for the row of a key, if there is one, after looking at its sum.
    static func forOne(
        _ table: Table, in scope: String? = nil, key: String, _ database: Database, _ read: (SQLiteRow) throws -> Void
    ) throws {
        try database.run(table.selectOne, [scope, key].compactMap { $0 }.map { .string($0) }) { row in
            _ = try row.checkedSum(of: table)
            try read(row)
        }
    }

    /// The sum that is recorded with the row.
    /// - Throws: if it is not that of the values that it covers.
    private func checkedSum(of table: Table) throws -> Int64 {
        var sum = RowChecksum()
        for cell in cells.prefix(table.columns.count) {
            switch cell {
            case .null: sum.addNull()
            case .integer(let number): sum.add(number)
            case .text(let bytes): sum.add(UnsafeRawBufferPointer(bytes))
            case .other: throw Self.damaged("a row holds a value that does not belong there")
            }
        }
        let recorded = try number(table.columns.count)
        guard recorded == sum.value else { throw Self.damaged("a row of \(table.name) is not as it was written") }
        return recorded
    }

    /// All of them, as they would be written.
    var values: [SQLiteValue] {
        get throws {
            try cells.map { cell in
                switch cell {
                case .null: .none
                case .integer(let number): .integer(number)
                case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
                case .other: throw Self.damaged("a row holds a value that does not belong there")
                }
            }
        }
    }

    func isNull(_ index: Int) -> Bool { if case .null = cells[index] { true } else { false } }

    func text(_ index: Int) throws -> String { try withText(index) { String(decoding: $0, as: UTF8.self) } }

    /// - Parameter use: gets the UTF-8 of a text, which stays where it is until it returns.
    func withText<SQLiteValue>(_ index: Int, _ use: (UnsafeBufferPointer<UInt8>) throws -> SQLiteValue) throws
        -> SQLiteValue
    {
        guard case .text(let bytes) = cells[index] else { throw Self.damaged("a row holds a value that is no text") }
        return try use(bytes)
    }

    func optionalText(_ index: Int) throws -> String? { isNull(index) ? nil : try text(index) }

    func number(_ index: Int) throws -> Int64 {
        guard case .integer(let number) = cells[index] else {
            throw Self.damaged("a row holds a value that is no number")
        }
        return number
    }

    func optionalNumber(_ index: Int) throws -> Int64? { isNull(index) ? nil : try number(index) }

    func digest(_ index: Int) throws -> Digest {
        guard let digest = try withText(index, { Digest(hexDigits: $0) }) else {
            throw Self.damaged("a row holds a text that is no digest")
        }
        return digest
    }

    func optionalDigest(_ index: Int) throws -> Digest? { isNull(index) ? nil : try digest(index) }

    static func isTwice(_ table: Table) -> any Error { damaged("a row of \(table.name) is there twice") }

    static func damaged(_ what: String) -> any Error {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: what)
    }
}

extension SQLiteRow.Cell {
    /// - Parameter statement: stands on a row. A text stays where it is until the next step.
    init(_ statement: SQLiteStatement, _ index: Int32) throws {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_NULL: self = .null
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, index) else {
                throw DatabaseError(resultCode: .SQLITE_NOMEM)
            }
            self = .text(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
        default: self = .other
        }
    }
}

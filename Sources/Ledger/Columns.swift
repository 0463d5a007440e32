internal import GRDB
internal import GRDBSQLite
internal import PhotoModel

/// The columns of the row that a statement stands on, read without the copy that GRDB makes of each value: a snapshot
/// reads some hundred thousand of them. A value of another type, which only a damaged file holds, is an error.
struct Columns {
    /// Safe to use: the statement that owns it outlives every `Columns`, which only `Database.run` makes.
    private let statement: SQLiteStatement

    init(statement: SQLiteStatement) { self.statement = statement }

    /// Calls `read` for each row of a table, in one scope, after looking at its sum; and looks at the table's total last.
    static func forEach(
        _ table: Table, in scope: String? = nil, _ database: Database, _ read: (Columns) throws -> Void
    ) throws {
        let recorded = try Total.recorded(table, scope ?? "", database)
        var total = Total()
        try database.run(table.selectAll, scope.map { [.string($0)] } ?? []) { row in
            total.add(try row.checkedSum(of: table))
            try read(row)
        }
        guard total == recorded else { throw damaged("rows of \(table.name) are lost") }
    }

    /// Calls `read` for the row of a key, if there is one, after looking at its sum.
    static func forOne(
        _ table: Table, in scope: String? = nil, key: String, _ database: Database, _ read: (Columns) throws -> Void
    ) throws {
        try database.run(table.selectOne, [scope, key].compactMap { $0 }.map { .string($0) }) { row in
            _ = try row.checkedSum(of: table)
            try read(row)
        }
    }

    /// The sum that is recorded with the row.
    /// - Throws: if it is not that of the values that it covers.
    private func checkedSum(of table: Table) throws -> Int64 {
        let count = Int32(table.columns.count)
        var sum = RowSum()
        for index in 0..<count {
            switch sqlite3_column_type(statement, index) {
            case SQLITE_NULL: sum.addNull()
            case SQLITE_INTEGER: sum.add(sqlite3_column_int64(statement, index))
            case SQLITE_TEXT: sum.add(UnsafeRawBufferPointer(try bytes(index)))
            default: throw Self.damaged("a row holds a value that does not belong there")
            }
        }
        let recorded = try number(count)
        guard recorded == sum.value else { throw Self.damaged("a row of \(table.name) is not as it was written") }
        return recorded
    }

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    func text(_ index: Int32) throws -> String {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT else {
            throw Self.damaged("a row holds a value that is no text")
        }
        return String(decoding: try bytes(index), as: UTF8.self)
    }

    /// Of a text. They stay where they are until the next step, and are read or copied before it.
    private func bytes(_ index: Int32) throws -> UnsafeBufferPointer<UInt8> {
        guard let start = sqlite3_column_text(statement, index) else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
    }

    func optionalText(_ index: Int32) throws -> String? { isNull(index) ? nil : try text(index) }

    func number(_ index: Int32) throws -> Int64 {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else {
            throw Self.damaged("a row holds a value that is no number")
        }
        return sqlite3_column_int64(statement, index)
    }

    func optionalNumber(_ index: Int32) throws -> Int64? { isNull(index) ? nil : try number(index) }

    func digest(_ index: Int32) throws -> Digest {
        guard let digest = Digest(hex: try text(index)) else {
            throw Self.damaged("a row holds a text that is no digest")
        }
        return digest
    }

    func optionalDigest(_ index: Int32) throws -> Digest? { isNull(index) ? nil : try digest(index) }

    /// A reason in two columns: its code, and after it the message.
    func reason(_ index: Int32) throws -> Reason? {
        guard let code = try optionalText(index), let message = try optionalText(index + 1) else { return nil }
        guard let known = ReasonCode(rawValue: code) else { throw Self.damaged("a row holds an unknown reason") }
        return Reason(code: known, message: message)
    }

    static func damaged(_ what: String) -> any Error {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: what)
    }
}

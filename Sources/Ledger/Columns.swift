internal import GRDB
internal import GRDBSQLite
internal import PhotoModel

/// The columns of the row that a statement stands on, read without the copy that GRDB makes of each value: a snapshot
/// reads some hundred thousand of them. A value of another type, which only a damaged file holds, is an error.
struct Columns {
    /// Safe to use: the statement that owns it outlives every `Columns`, which only `forEach` makes.
    private let statement: SQLiteStatement

    /// Calls `read` for each row.
    static func forEach(
        _ database: Database, _ sql: String, _ arguments: StatementArguments = StatementArguments(),
        _ read: (Columns) throws -> Void
    ) throws {
        let statement = try database.cachedStatement(sql: sql)
        try statement.setArguments(arguments)
        let columns = Columns(statement: statement.sqliteStatement)
        defer { sqlite3_reset(statement.sqliteStatement) }
        while true {
            let code = sqlite3_step(statement.sqliteStatement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: String(cString: sqlite3_errmsg(database.sqliteConnection)), sql: sql)
            }
            try read(columns)
        }
    }

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    func text(_ index: Int32) throws -> String { try withBytes(index) { String(decoding: $0, as: UTF8.self) } }

    /// - Parameter use: gets the UTF-8 of a text, which stays where it is until it returns.
    func withBytes<Value>(_ index: Int32, _ use: (UnsafeBufferPointer<UInt8>) throws -> Value) throws -> Value {
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT,
            let start = sqlite3_column_text(statement, index)
        else { throw Self.damaged("value that is no text") }
        return try use(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }

    func optionalText(_ index: Int32) throws -> String? { isNull(index) ? nil : try text(index) }

    func number(_ index: Int32) throws -> Int64 {
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else {
            throw Self.damaged("value that is no number")
        }
        return sqlite3_column_int64(statement, index)
    }

    func optionalNumber(_ index: Int32) throws -> Int64? { isNull(index) ? nil : try number(index) }

    func digest(_ index: Int32) throws -> Digest {
        guard let digest = try withBytes(index, { Digest(hexDigits: $0) }) else { throw Self.damaged("digest") }
        return digest
    }

    func optionalDigest(_ index: Int32) throws -> Digest? { isNull(index) ? nil : try digest(index) }

    /// A reason in two columns: its code, and after it the message.
    func reason(_ index: Int32) throws -> Reason? {
        guard let code = try optionalText(index), let message = try optionalText(index + 1) else { return nil }
        guard let known = ReasonCode(rawValue: code) else { throw Self.damaged("reason code") }
        return Reason(code: known, message: message)
    }

    static func damaged(_ what: String) -> any Error {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row holds a \(what) that does not belong there")
    }
}

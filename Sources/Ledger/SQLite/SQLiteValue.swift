internal import CLibSQLite
internal import GRDB

/// A value of a row, as SQLite keeps it.
enum SQLiteValue {
    case none
    case integer(Int64)
    case string(String)

    static func text(_ text: String?) -> SQLiteValue { text.map { .string($0) } ?? .none }

    static func number(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .none }

    static func number(_ number: Int?) -> SQLiteValue { self.number(number.map { Int64($0) }) }
}

extension SQLiteValue {
    /// - Parameter value: a value of one of our rows, which hold no other kind.
    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .int64(let number): .integer(number)
            case .string(let text): .string(text)
            case .null, .double, .blob: .none
            }
    }
}

extension Database {
    /// Runs a statement with values for its question marks, without the copies that GRDB makes of them: a build
    /// writes some ten rows for each photo. Nobody observes what these change.
    /// - Parameter read: called for each row that it gives.
    func run(_ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws -> Void = { _ in }) throws {
        let statement = try cachedStatement(sql: sql)
        // Safe: the statement is kept until this returns.
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        for (index, value) in values.enumerated() {
            let code = value.bind(to: handle, at: Int32(index) + 1)
            guard code == SQLITE_OK else { throw failure(code, sql) }
        }
        let count = Int(sqlite3_column_count(handle))
        try withUnsafeTemporaryAllocation(of: SQLiteRow.Cell.self, capacity: count) { cells in
            while true {
                let code = sqlite3_step(handle)
                if code == SQLITE_DONE { return }
                guard code == SQLITE_ROW else { throw failure(code, sql) }
                // Cells own nothing: the next row's take their places.
                for index in 0..<count {
                    cells.initializeElement(at: index, to: try SQLiteRow.Cell(handle, Int32(index)))
                }
                try read(SQLiteRow(UnsafeBufferPointer(cells)))
            }
        }
    }

    private func failure(_ code: Int32, _ sql: String) -> any Error {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql
        )
    }
}

extension SQLiteValue {
    fileprivate func bind(to statement: SQLiteStatement, at index: Int32) -> Int32 {
        switch self {
        case .none: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        // SQLite copies it: what -1 means in place of a function that frees it, a macro that Swift does not see.
        case .string(let text):
            sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }
}

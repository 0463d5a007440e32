internal import CLibSQLite
internal import GRDB
internal import PhotoModel

/// In the ledger, a digest is a text of 64 hexadecimal digits.
extension Digest: DatabaseValueConvertible, StatementColumnConvertible {
    var databaseValue: DatabaseValue { hex.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Digest? {
        String.fromDatabaseValue(value).flatMap { Digest(hex: $0) }
    }

    /// Reads the text in SQLite's memory without a copy, because a snapshot has hundreds of thousands of digests.
    init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard let text = sqlite3_column_text(sqliteStatement, index) else { return nil }
        let count = Int(sqlite3_column_bytes(sqliteStatement, index))
        self.init(hexDigits: UnsafeBufferPointer(start: text, count: count))
    }
}

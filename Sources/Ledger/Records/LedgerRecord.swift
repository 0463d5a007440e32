internal import CLibSQLite
internal import GRDB

/// The names of columns with their values, in the order of the table.
typealias ColumnValues = KeyValuePairs<String, (any DatabaseValueConvertible)?>

/// A row of a table, with its values in the order of the table's columns. Its checksum is in the column `sum`, and
/// reveals damage when the row is read.
protocol LedgerRecord: FetchableRecord, TableRecord {
    /// The column with the gallery or the output folder that a row belongs to; nil for a table that all galleries
    /// share. Rows are counted and read by this column.
    static var scopeColumn: String? { get }
    /// The columns of the key by which a row is found. The column of the scope is the first.
    static var keyColumns: [String] { get }
    /// The columns, in addition to that of the scope, that the checksum does not cover: those that are written often
    /// and whose damage does no harm.
    static var uncoveredColumns: [String] { get }

    var scope: String { get }
    /// The values of `keyColumns`.
    var key: StatementArguments { get }
    /// The values that the checksum covers.
    var covered: ColumnValues { get throws }
    var uncovered: ColumnValues { get }
}

extension LedgerRecord {
    static var scopeColumn: String? { nil }
    static var uncoveredColumns: [String] { [] }

    var scope: String { "" }
    var uncovered: ColumnValues { [:] }

    /// All columns, in the order of `arguments(covered:checksum:)`.
    var columnNames: [String] {
        get throws {
            let scope = Self.scopeColumn.map { [$0] } ?? []
            return try scope + covered.map { $0.key } + ["sum"] + uncovered.map { $0.key }
        }
    }

    /// The values of all columns.
    /// - Parameter covered: the values of the property `covered`, converted once for the checksum and for the row.
    func arguments(covered: [DatabaseValue], checksum: Int64) -> StatementArguments {
        // The array has existentials, because GRDB would read each element of a `[DatabaseValue]` through a key path.
        var values: [(any DatabaseValueConvertible)?] = []
        values.reserveCapacity(covered.count + 4)
        if Self.scopeColumn != nil { values.append(scope.databaseValue) }
        for value in covered { values.append(value) }
        values.append(checksum.databaseValue)
        for (_, value) in uncovered { values.append(value) }
        return StatementArguments(values)
    }

    /// The statement that writes a row with these columns. If the key is already recorded, the row gets the new values.
    static func upsert(_ columns: [String]) -> String {
        let changes = columns.filter { !keyColumns.contains($0) }.map { "\($0) = excluded.\($0)" }
        return "INSERT INTO \(databaseTableName) (\(columns.joined(separator: ", "))) "
            + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) "
            + "ON CONFLICT (\(keyColumns.joined(separator: ", "))) DO UPDATE SET \(changes.joined(separator: ", "))"
    }

    private static var whereKey: String { keyColumns.map { "\($0) = ?" }.joined(separator: " AND ") }
    static var selectChecksum: String { "SELECT sum FROM \(databaseTableName) WHERE \(whereKey)" }
    static var deleteByKey: String { "DELETE FROM \(databaseTableName) WHERE \(whereKey)" }
    static var selectByKey: String { "SELECT * FROM \(databaseTableName) WHERE \(whereKey)" }
    /// The rows of one scope, in the order of their keys. In a table without scopes, all rows in the order of the
    /// table.
    static var selectAll: String {
        let order = keyColumns.joined(separator: ", ")
        return "SELECT * FROM \(databaseTableName)" + (scopeColumn.map { " WHERE \($0) = ? ORDER BY \(order)" } ?? "")
    }

    /// Calls `read` with each row of a table, or with each row of one scope.
    /// - Throws: `DatabaseError` if a row or the table's total differs from what was written.
    static func forEach(in scope: String? = nil, _ database: Database, _ read: (Self) throws -> Void) throws {
        let recorded = try TableTotal.recorded(databaseTableName, scope ?? "", database)
        var (rows, sum) = (Int64(0), Int64(0))
        try forEachRow(selectAll, scope.map { [$0] } ?? [], database) { row, checksum in
            (rows, sum) = (rows + 1, sum &+ checksum)
            try read(try Self(row: row))
        }
        guard rows == recorded.rows, sum == recorded.sum else {
            throw DatabaseError.damaged("rows of \(databaseTableName) are lost")
        }
    }

    /// Reads one row by its key; nil if there is none.
    /// - Throws: `DatabaseError` if the row differs from what was written.
    static func one(_ key: StatementArguments, _ database: Database) throws -> Self? {
        var found: Self?
        try forEachRow(selectByKey, key, database) { row, _ in found = try Self(row: row) }
        return found
    }

    private static func forEachRow(
        _ sql: String, _ arguments: StatementArguments, _ database: Database, _ read: (Row, Int64) throws -> Void
    ) throws {
        let statement = try database.cachedStatement(sql: sql)
        let uncovered = uncoveredColumns + ["sum"] + (scopeColumn.map { [$0] } ?? [])
        let names = statement.columnNames
        let covered = names.indices.filter { !uncovered.contains(names[$0]) }.map { Int32($0) }
        guard let sum = names.firstIndex(of: "sum").map({ Int32($0) }) else {
            throw DatabaseError.damaged("a table has no checksums")
        }
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        let values = statement.sqliteStatement
        while let row = try rows.next() {
            // The checksum is computed from SQLite's own values, before any of them is converted. A row with a correct
            // checksum has no value that its column can't have.
            let checksum = try RowChecksum(of: values, covered).value
            guard sqlite3_column_int64(values, sum) == checksum else {
                throw DatabaseError.damaged("a row of \(databaseTableName) is not as it was written")
            }
            try read(row, checksum)
        }
    }
}

extension DatabaseError {
    static func damaged(_ what: String) -> DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT, message: what) }
}

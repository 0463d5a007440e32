internal import CLibSQLite
internal import GRDB

/// The names of columns with their values, in the order of the table.
typealias ColumnValues = KeyValuePairs<String, (any DatabaseValueConvertible)?>

/// A row of a table, with its values in the order of the table's columns. Its checksum stands in the column `sum`, and
/// reveals damage when the row is read.
protocol LedgerRecord: FetchableRecord, TableRecord {
    /// The column with the gallery or the output folder that a row belongs to; nil for a table that all share. Its
    /// rows are counted, and read, by this column.
    static var scopeColumn: String? { get }
    /// The columns by which a row is found, the scope's first.
    static var keyColumns: [String] { get }
    /// Columns that the checksum leaves out, the scope's apart: those written often, which do no harm.
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

    var checksum: Int64 {
        get throws {
            var checksum = RowChecksum()
            for (_, value) in try covered { checksum.add(value?.databaseValue ?? .null) }
            return checksum.value
        }
    }

    /// All columns with their values.
    func columns(checksum: Int64) throws -> [(name: String, value: DatabaseValue)] {
        let owner = Self.scopeColumn.map { [($0, scope.databaseValue)] } ?? []
        let values = try covered.map { ($0, $1?.databaseValue ?? .null) }
        return owner + values + [("sum", checksum.databaseValue)] + uncovered.map { ($0, $1?.databaseValue ?? .null) }
    }

    /// Writes a row of these columns, or gives the row that has its key their values.
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
    /// The rows of one scope, in the order of their keys; of a table that all share, in the order of the table.
    static var selectAll: String {
        let order = keyColumns.joined(separator: ", ")
        return "SELECT * FROM \(databaseTableName)" + (scopeColumn.map { " WHERE \($0) = ? ORDER BY \(order)" } ?? "")
    }

    static func recordedChecksum(_ key: StatementArguments, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(database.cachedStatement(sql: selectChecksum), arguments: key)
    }

    /// Calls `read` with each row of a table, in one scope.
    /// - Throws: if a row or the table's total is not what was written.
    static func forEach(in scope: String? = nil, _ database: Database, _ read: (Self) throws -> Void) throws {
        try forEachRow(in: scope, database) { try read(try Self(row: $0)) }
    }

    /// Likewise, for whoever needs few of the columns.
    static func forEachRow(in scope: String? = nil, _ database: Database, _ read: (Row) throws -> Void) throws {
        let recorded = try TableTotal.recorded(databaseTableName, scope ?? "", database)
        var (rows, sum) = (Int64(0), Int64(0))
        try forEachRow(selectAll, scope.map { [$0] } ?? [], database) { row, checksum in
            (rows, sum) = (rows + 1, sum &+ checksum)
            try read(row)
        }
        guard rows == recorded.rows, sum == recorded.sum else {
            throw DatabaseError.damaged("rows of \(databaseTableName) are lost")
        }
    }

    /// - Throws: if the row is not as it was written.
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
        guard let sum = names.firstIndex(of: "sum") else { throw DatabaseError.damaged("a table has no checksums") }
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            // The values are compared as SQLite has them, before any is converted: a row that is as it was written has
            // no value that a column can't have.
            let checksum = try RowChecksum(of: statement.sqliteStatement, covered).value
            guard try row.decode(Int64.self, atIndex: sum) == checksum else {
                throw DatabaseError.damaged("a row of \(databaseTableName) is not as it was written")
            }
            try read(row, checksum)
        }
    }
}

extension DatabaseError {
    static func damaged(_ what: String) -> DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT, message: what) }
}

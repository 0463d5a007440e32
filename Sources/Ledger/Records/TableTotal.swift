internal import GRDB

/// The number of a table's rows in one scope, and the sum of their checksums. They reveal a row that is lost or
/// duplicated.
///
/// A build reads and writes totals with each photo, so the statements are written as SQL. GRDB's query interface would
/// build them again each time, which takes a tenth of a first build's time.
struct TableTotal: FetchableRecord {
    let name: String
    let scope: String
    var rows: Int64 = 0
    /// The sum of the rows' checksums, modulo 2⁶⁴.
    var sum: Int64 = 0

    init(name: String, scope: String) {
        self.name = name
        self.scope = scope
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        name = try columns.next()
        scope = try columns.next()
        rows = try columns.next()
        sum = try columns.next()
    }

    /// The recorded total; that of an empty table if none is recorded.
    static func recorded(_ name: String, _ scope: String, _ database: Database) throws -> TableTotal {
        let statement = try database.cachedStatement(sql: selectByKey)
        return try fetchOne(statement, arguments: [name, scope]) ?? TableTotal(name: name, scope: scope)
    }

    /// Writes the total in place of the recorded one. The total of an empty table has no row.
    func record(_ database: Database) throws {
        if rows == 0 && sum == 0 { return try Self.delete(name, scope, database) }
        try database.cachedStatement(sql: Self.upsert).execute(arguments: [name, scope, rows, sum])
    }

    static func delete(_ name: String, _ scope: String, _ database: Database) throws {
        try database.cachedStatement(sql: deleteByKey).execute(arguments: [name, scope])
    }

    /// Moves a total to another scope. It replaces the total there.
    static func move(_ name: String, from old: String, to new: String, _ database: Database) throws {
        try delete(name, new, database)
        try database.cachedStatement(sql: changeScope).execute(arguments: [new, name, old])
    }

    /// The totals of a table, one for each gallery or output folder that has rows in it.
    static func all(of name: String, _ database: Database) throws -> [TableTotal] {
        try fetchAll(database.cachedStatement(sql: selectByName), arguments: [name])
    }

    static let selectByKey = "SELECT name, scope, rows, sum FROM total WHERE name = ? AND scope = ?"
    static let selectByName = "SELECT name, scope, rows, sum FROM total WHERE name = ?"
    static let deleteByKey = "DELETE FROM total WHERE name = ? AND scope = ?"
    static let upsert =
        "INSERT INTO total (name, scope, rows, sum) VALUES (?, ?, ?, ?) "
        + "ON CONFLICT (name, scope) DO UPDATE SET rows = excluded.rows, sum = excluded.sum"
    private static let changeScope = "UPDATE total SET scope = ? WHERE name = ? AND scope = ?"

    /// The capacity of a collection that need not grow. It is limited, because a damaged file can contain any number.
    var capacity: Int { Int(min(max(0, rows), 1_000_000)) }
}

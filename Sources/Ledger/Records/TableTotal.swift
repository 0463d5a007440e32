internal import GRDB

/// The number of a table's rows in one scope, and the sum of their checksums. They reveal a row that is lost or
/// doubled.
struct TableTotal: FetchableRecord, PersistableRecord {
    static let databaseTableName = "total"

    let name: String
    let scope: String
    var rows: Int64 = 0
    /// Overflow is dropped.
    var sum: Int64 = 0

    init(name: String, scope: String) {
        self.name = name
        self.scope = scope
    }

    init(row: Row) throws {
        name = try row.decode(forColumn: "name")
        scope = try row.decode(forColumn: "scope")
        rows = try row.decode(forColumn: "rows")
        sum = try row.decode(forColumn: "sum")
    }

    func encode(to container: inout PersistenceContainer) {
        container["name"] = name
        container["scope"] = scope
        container["rows"] = rows
        container["sum"] = sum
    }

    /// The total of an empty table where none was recorded.
    static func recorded(_ name: String, _ scope: String, _ database: Database) throws -> TableTotal {
        try fetchOne(database, key: ["name": name, "scope": scope]) ?? TableTotal(name: name, scope: scope)
    }

    /// The galleries, or output folders, of which a table has rows.
    static func scopes(of name: String, _ database: Database) throws -> [String] {
        try filter(Column("name") == name).fetchAll(database).map(\.scope)
    }

    /// For a dictionary that need not grow. A damaged file may claim anything.
    var capacity: Int { Int(min(max(0, rows), 1_000_000)) }
}

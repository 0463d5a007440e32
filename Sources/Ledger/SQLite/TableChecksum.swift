internal import GRDB

/// The number of a table's rows in one scope, and the sum of their checksums. They reveal a row that is lost or
/// doubled.
struct TableChecksum: Hashable {
    var rows: Int64 = 0
    var sum: UInt64 = 0

    static let select = "SELECT rows, sum FROM total WHERE name = ? AND scope = ?"
    static let selectScopes = "SELECT scope FROM total WHERE name = ?"
    static let put = "INSERT OR REPLACE INTO total (name, scope, rows, sum) VALUES (?, ?, ?, ?)"
    static let remove = "DELETE FROM total WHERE name = ? AND scope = ?"

    mutating func add(_ rowSum: Int64) {
        rows += 1
        sum &+= UInt64(bitPattern: rowSum)
    }

    mutating func subtract(_ rowSum: Int64) {
        rows -= 1
        sum &-= UInt64(bitPattern: rowSum)
    }

    static func + (one: TableChecksum, other: TableChecksum) -> TableChecksum {
        // A number in a damaged file must not trap.
        TableChecksum(rows: one.rows &+ other.rows, sum: one.sum &+ other.sum)
    }

    /// The checksum of an empty table where none was recorded.
    static func recorded(_ table: Table, _ scope: String, _ database: Database) throws -> TableChecksum {
        var total = TableChecksum()
        try database.run(select, [.string(table.name), .string(scope)]) {
            total = TableChecksum(rows: try $0.number(0), sum: UInt64(bitPattern: try $0.number(1)))
        }
        return total
    }

    func record(_ table: Table, _ scope: String, _ database: Database) throws {
        guard rows != 0 || sum != 0 else {
            return try database.run(Self.remove, [.string(table.name), .string(scope)])
        }
        try database.run(
            Self.put, [.string(table.name), .string(scope), .integer(rows), .integer(Int64(bitPattern: sum))])
    }

    /// The galleries, or output folders, of which a table has rows.
    static func scopes(of table: Table, _ database: Database) throws -> [String] {
        var scopes: [String] = []
        try database.run(selectScopes, [.string(table.name)]) { scopes.append(try $0.text(0)) }
        return scopes
    }

    /// For a dictionary that need not grow. A damaged file may claim anything.
    var capacity: Int { Int(min(max(0, rows), 1_000_000)) }
}

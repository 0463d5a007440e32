internal import GRDB

/// What one transaction changes: rows are written with their sums, and at its end the totals of their tables.
struct Change: ~Copyable {
    private struct Place: Hashable {
        let table: String
        let scope: String
    }

    private let database: Database
    /// By how much the totals change.
    private var deltas: [Place: (table: Table, total: Total)] = [:]

    init(_ database: Database) { self.database = database }

    /// Writes a row, unless it is there already as it is to be.
    /// - Parameters:
    ///   - values: in the order of the table's columns.
    ///   - uncovered: those that the sum does not cover.
    mutating func put(
        _ table: Table, in scope: String? = nil, _ values: [Value], uncovered: [Value] = []
    ) throws {
        let sum = RowSum(of: values).value
        let key = scope.map { [.string($0), values[0]] } ?? [values[0]]
        let old = try self.sum(table, key)
        if old == sum && uncovered.isEmpty { return }
        try database.run(table.put, key.dropLast() + values + [.integer(sum)] + uncovered)
        note(table, scope) { total in
            if let old { total.subtract(old) }
            total.add(sum)
        }
    }

    mutating func remove(_ table: Table, in scope: String? = nil, key: String) throws {
        let key = [scope, key].compactMap { $0 }.map { Value.string($0) }
        guard let old = try sum(table, key) else { return }
        try database.run(table.remove, key)
        note(table, scope) { $0.subtract(old) }
    }

    /// Changes what no sum covers.
    func execute(_ statement: String, _ values: [Value]) throws { try database.run(statement, values) }

    /// The database to be read: totals are those of the rows again. To be called also when all is written.
    @discardableResult mutating func settled() throws -> Database {
        for (place, delta) in deltas {
            let total = try Total.recorded(delta.table, place.scope, database) + delta.total
            try total.record(delta.table, place.scope, database)
        }
        deltas = [:]
        return database
    }

    private func sum(_ table: Table, _ key: [Value]) throws -> Int64? {
        var sum: Int64?
        try database.run(table.selectSum, key) { sum = try $0.number(0) }
        return sum
    }

    private mutating func note(_ table: Table, _ scope: String?, _ change: (inout Total) -> Void) {
        change(&deltas[Place(table: table.name, scope: scope ?? ""), default: (table, Total())].total)
    }
}

internal import GRDB
internal import PhotoModel

/// A transaction: writes rows with their checksums, and at its end the checksums of their tables.
struct LedgerTransaction: ~Copyable {
    private struct Place: Hashable {
        let table: String
        let scope: String
    }

    private let database: Database
    /// The changes of the checksums.
    private var deltas: [Place: (table: Table, total: TableChecksum)] = [:]

    init(_ database: Database) { self.database = database }

    /// Writes a row, unless it is there already as it is to be.
    /// - Parameters:
    ///   - values: in the order of the table's columns.
    ///   - uncovered: those that the sum does not cover.
    mutating func put(
        _ table: Table, in scope: String? = nil, _ values: [SQLiteValue], uncovered: [SQLiteValue] = []
    ) throws {
        let sum = RowChecksum(of: values).value
        let key = scope.map { [.string($0), values[0]] } ?? [values[0]]
        let old = try self.sum(table, key)
        if old == sum && uncovered.isEmpty { return }
        try database.run(table.put, key.dropLast() + values + [.integer(sum)] + uncovered)
        note(table, scope) { total in
            if let old { total.subtract(old) }
            total.add(sum)
        }
    }

    mutating func remove(_ table: Table, in scope: String? = nil, key: SQLiteValue) throws {
        let key = scope.map { [.string($0), key] } ?? [key]
        guard let old = try sum(table, key) else { return }
        try database.run(table.remove, key)
        note(table, scope) { $0.subtract(old) }
    }

    /// Writes the row of a digest in a table whose rows are numbered.
    /// - Parameter values: those after the digest.
    mutating func put(
        _ digest: Digest, into table: Table, in scope: String? = nil, _ values: [SQLiteValue],
        uncovered: [SQLiteValue] = []
    ) throws {
        let number = try number(of: digest, table, in: scope) ?? newNumber(table, in: scope)
        try put(table, in: scope, [.integer(number), .string(digest.hex)] + values, uncovered: uncovered)
    }

    mutating func remove(_ digest: Digest, from table: Table, in scope: String? = nil) throws {
        guard let number = try number(of: digest, table, in: scope) else { return }
        try remove(table, in: scope, key: .integer(number))
    }

    /// - Returns: the number of a digest's row; nil if there is none.
    private func number(of digest: Digest, _ table: Table, in scope: String?) throws -> Int64? {
        var number: Int64?
        try database.run(table.selectNumber, [scope, digest.hex].compactMap { $0 }.map { .string($0) }) {
            number = try $0.number(0)
        }
        return number
    }

    private func newNumber(_ table: Table, in scope: String?) throws -> Int64 {
        var last: Int64 = 0
        try database.run(table.selectLastNumber, scope.map { [.string($0)] } ?? []) {
            last = try $0.optionalNumber(0) ?? 0
        }
        guard (0..<Int64.max).contains(last) else {
            throw SQLiteRow.damaged("a row of \(table.name) has a number after which none comes")
        }
        return last + 1
    }

    /// In the order of a table, so that each page of a large one is read and written once; last what is not in it.
    func sorted<Element>(
        _ elements: [Element], by key: (Element) -> Digest, _ table: Table, in scope: String? = nil
    ) throws -> [Element] {
        let numbers = try elements.map { try number(of: key($0), table, in: scope) ?? .max }
        return elements.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { elements[$0] }
    }

    /// Changes what no sum covers.
    func execute(_ statement: String, _ values: [SQLiteValue]) throws { try database.run(statement, values) }

    /// The database to be read: totals are those of the rows again. To be called also when all is written.
    @discardableResult mutating func flushed() throws -> Database {
        for (place, delta) in deltas {
            let total = try TableChecksum.recorded(delta.table, place.scope, database) + delta.total
            try total.record(delta.table, place.scope, database)
        }
        deltas = [:]
        return database
    }

    private func sum(_ table: Table, _ key: [SQLiteValue]) throws -> Int64? {
        var sum: Int64?
        try database.run(table.selectSum, key) { sum = try $0.number(0) }
        return sum
    }

    private mutating func note(_ table: Table, _ scope: String?, _ change: (inout TableChecksum) -> Void) {
        change(&deltas[Place(table: table.name, scope: scope ?? ""), default: (table, TableChecksum())].total)
    }
}

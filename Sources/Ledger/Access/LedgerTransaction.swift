internal import GRDB
internal import PhotoModel

/// A transaction. It writes rows with their checksums and, at its end, the totals of their tables.
struct LedgerTransaction: ~Copyable {
    private struct TableScope: Hashable {
        let table: String
        let scope: String
    }

    private let database: Database
    /// The changes of the totals that are not written yet.
    private var deltas: [TableScope: (rows: Int64, sum: Int64)] = [:]
    /// The statements that write rows, and those that read their checksums, by the type of the record. Their SQL is
    /// composed once, because composing it for each row takes a noticeable part of the time.
    private var upserts: [ObjectIdentifier: Statement] = [:]
    private var selects: [ObjectIdentifier: Statement] = [:]

    init(_ database: Database) { self.database = database }

    /// Writes a row, unless an equal one is already recorded.
    mutating func save<Record: LedgerRecord>(_ record: Record) throws {
        let covered = try record.covered.map { $0.value?.databaseValue ?? .null }
        let new = RowChecksum(of: covered).value
        let old = try recordedChecksum(Record.self, record.key)
        if old == new && Record.uncoveredColumns.isEmpty { return }
        try write(record, covered, checksum: new)
        addDelta(Record.self, record.scope, rows: old == nil ? 1 : 0, sum: new &- (old ?? 0))
    }

    /// Writes a row whose key is not recorded yet.
    mutating func insert<Record: LedgerRecord>(_ record: Record) throws {
        let covered = try record.covered.map { $0.value?.databaseValue ?? .null }
        let checksum = RowChecksum(of: covered).value
        try write(record, covered, checksum: checksum)
        addDelta(Record.self, record.scope, rows: 1, sum: checksum)
    }

    /// Writes a row. One statement is reused for all rows of a table: GRDB's `insert` and `update` build one for each
    /// row, and a build writes about ten rows for each photo.
    private mutating func write<Record: LedgerRecord>(
        _ record: Record, _ covered: [DatabaseValue], checksum: Int64
    ) throws {
        let table = ObjectIdentifier(Record.self)
        let statement =
            try upserts[table] ?? database.cachedStatement(sql: Record.upsert(record.columnNames))
        upserts[table] = statement
        try statement.execute(arguments: record.arguments(covered: covered, checksum: checksum))
    }

    private mutating func recordedChecksum<Record: LedgerRecord>(
        _ type: Record.Type, _ key: StatementArguments
    ) throws -> Int64? {
        let table = ObjectIdentifier(type)
        let statement = try selects[table] ?? database.cachedStatement(sql: Record.selectChecksum)
        selects[table] = statement
        return try Int64.fetchOne(statement, arguments: key)
    }

    /// Deletes a row.
    /// - Returns: false if there was no row with that key.
    @discardableResult mutating func delete<Record: LedgerRecord>(
        _ type: Record.Type, in scope: String = "", _ key: StatementArguments
    ) throws -> Bool {
        guard let old = try recordedChecksum(type, key) else { return false }
        try database.cachedStatement(sql: Record.deleteByKey).execute(arguments: key)
        addDelta(Record.self, scope, rows: -1, sum: 0 &- old)
        return true
    }

    /// Deletes all rows of one scope and their total.
    mutating func deleteAll<Record: LedgerRecord>(_ type: Record.Type, in scope: String) throws {
        guard let column = Record.scopeColumn else { return }
        try flushed()
        _ = try Record.filter(Column(column) == scope).deleteAll(database)
        try TableTotal.delete(Record.databaseTableName, scope, database)
    }

    /// Moves all rows of one scope to another one that has none. Checksums do not cover the scope, and the totals are
    /// moved with the rows.
    mutating func move<Record: LedgerRecord>(_ type: Record.Type, from old: String, to new: String) throws {
        guard let column = Record.scopeColumn else { return }
        try flushed()
        _ = try Record.filter(Column(column) == old).updateAll(database, Column(column).set(to: new))
        try TableTotal.move(Record.databaseTableName, from: old, to: new, database)
    }

    /// The number of a photo's row; nil if there is none.
    func number(of photo: Digest, gallery: String) throws -> Int64? {
        try PhotoTableRecord.number(of: photo, gallery: gallery, database)
    }

    func markCodes(ofPhoto number: Int64, gallery: String) throws -> [String] {
        try MarkRecord.codes(ofPhoto: number, gallery: gallery, database)
    }

    func newNumber(gallery: String) throws -> Int64 { try PhotoTableRecord.newNumber(gallery: gallery, database) }

    /// Changes columns or tables that no checksum covers.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Writes the totals, and returns the database for reading. Must also be called at the end of the transaction.
    @discardableResult mutating func flushed() throws -> Database {
        for (tableScope, delta) in deltas {
            var total = try TableTotal.recorded(tableScope.table, tableScope.scope, database)
            // The arithmetic must not trap, because a number in a damaged file can have any value.
            total.rows &+= delta.rows
            total.sum &+= delta.sum
            try total.record(database)
        }
        deltas = [:]
        return database
    }

    private mutating func addDelta<Record: LedgerRecord>(_ type: Record.Type, _ scope: String, rows: Int64, sum: Int64)
    {
        let tableScope = TableScope(table: Record.databaseTableName, scope: scope)
        let delta = deltas[tableScope] ?? (0, 0)
        deltas[tableScope] = (delta.rows + rows, delta.sum &+ sum)
    }
}

internal import GRDB
internal import PhotoModel

/// A transaction: writes rows with their checksums, and at its end the totals of their tables.
struct LedgerTransaction: ~Copyable {
    private struct Place: Hashable {
        let table: String
        let scope: String
    }

    private let database: Database
    /// The changes of the totals.
    private var deltas: [Place: (rows: Int64, sum: Int64)] = [:]
    /// Those that write rows, by their tables.
    private var statements: [String: Statement] = [:]

    init(_ database: Database) { self.database = database }

    /// Writes a row, unless it is there already as it is to be.
    mutating func save<Record: LedgerRecord>(_ record: Record) throws {
        let new = try record.checksum
        let old = try Record.recordedChecksum(record.key, database)
        guard let old else { return try insert(record) }
        if old == new && Record.uncoveredColumns.isEmpty { return }
        try write(record, checksum: new)
        note(Record.self, record.scope, rows: 0, sum: new &- old)
    }

    /// Writes a row that is not there.
    mutating func insert<Record: LedgerRecord>(_ record: Record) throws {
        let checksum = try record.checksum
        try write(record, checksum: checksum)
        note(Record.self, record.scope, rows: 1, sum: checksum)
    }

    /// One statement does for all rows of a table: GRDB's `insert` and `update` make theirs anew for each, and a build
    /// writes some ten rows for each photo.
    private mutating func write<Record: LedgerRecord>(_ record: Record, checksum: Int64) throws {
        let columns = try record.columns(checksum: checksum)
        let table = Record.databaseTableName
        let statement =
            try statements[table] ?? database.cachedStatement(sql: Record.upsert(columns.map(\.name)))
        statements[table] = statement
        try statement.execute(arguments: StatementArguments(columns.map(\.value)))
    }

    /// - Returns: false if there was no row of that key.
    @discardableResult mutating func delete<Record: LedgerRecord>(
        _ type: Record.Type, in scope: String = "", _ key: StatementArguments
    ) throws -> Bool {
        guard let old = try Record.recordedChecksum(key, database) else { return false }
        try database.cachedStatement(sql: Record.deleteByKey).execute(arguments: key)
        note(Record.self, scope, rows: -1, sum: 0 &- old)
        return true
    }

    /// Deletes all rows of one scope, and their total.
    mutating func deleteAll<Record: LedgerRecord>(_ type: Record.Type, in scope: String) throws {
        guard let column = Record.scopeColumn else { return }
        try flushed()
        _ = try Record.filter(Column(column) == scope).deleteAll(database)
        try TableTotal.delete(Record.databaseTableName, scope, database)
    }

    /// Gives all rows of one scope to another that has none. Checksums do not cover the scope; totals go with their
    /// rows.
    mutating func move<Record: LedgerRecord>(_ type: Record.Type, from old: String, to new: String) throws {
        guard let column = Record.scopeColumn else { return }
        try flushed()
        _ = try Record.filter(Column(column) == old).updateAll(database, Column(column).set(to: new))
        try TableTotal.move(Record.databaseTableName, from: old, to: new, database)
    }

    /// The number of a photo's row; nil if there is none.
    func number(of photo: Digest, gallery: String) throws -> Int64? {
        try PhotoRecord.number(of: photo, gallery: gallery, database)
    }

    func newNumber(gallery: String) throws -> Int64 { try PhotoRecord.newNumber(gallery: gallery, database) }

    /// Changes what no checksum covers.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The database to be read: totals are those of the rows again. To be called also when all is written.
    @discardableResult mutating func flushed() throws -> Database {
        for (place, delta) in deltas {
            var total = try TableTotal.recorded(place.table, place.scope, database)
            // A number in a damaged file must not trap.
            total.rows &+= delta.rows
            total.sum &+= delta.sum
            try total.record(database)
        }
        deltas = [:]
        return database
    }

    private mutating func note<Record: LedgerRecord>(_ type: Record.Type, _ scope: String, rows: Int64, sum: Int64) {
        let place = Place(table: Record.databaseTableName, scope: scope)
        let delta = deltas[place] ?? (0, 0)
        deltas[place] = (delta.rows + rows, delta.sum &+ sum)
    }
}

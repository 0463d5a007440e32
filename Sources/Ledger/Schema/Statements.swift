internal import GRDB

/// The statements by which a build reads and writes rows, for whoever wants to know how SQLite goes about them.
package enum Statements {
    /// Statements that read a whole table, when the ledger is opened.
    package static let scans =
        Schema.records.filter { $0.scopeColumn == nil }.map { $0.selectAll } + [LedgerReader.selectGalleries]

    /// Statements that find rows by their key, or by their owner.
    package static let lookups =
        Schema.records.filter { $0.scopeColumn != nil }.map { $0.selectAll }
        + Schema.records.flatMap { [$0.selectByKey, $0.selectChecksum, $0.deleteByKey] }
        + [PhotoRecord.selectNumber, PhotoRecord.selectLastNumber, LedgerWriter.check]
        + [TableTotal.selectByKey, TableTotal.selectByName, TableTotal.deleteByKey]

    /// Statements that write a row, or give the row that has its key new values.
    package static func upserts() throws -> [String] {
        try DatabaseQueue().write { empty in
            try empty.execute(sql: Schema.tables)
            return try Schema.records.map { record in
                record.upsert(try empty.columns(in: record.databaseTableName).map(\.name))
            }
        }
    }
}

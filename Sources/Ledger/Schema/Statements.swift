internal import GRDB

/// The statements by which a build reads and writes rows, so that tests can inspect SQLite's query plans.
package enum Statements {
    /// The statements that read a whole table when the ledger is opened.
    package static let scans =
        Schema.records.filter { $0.scopeColumn == nil }.map { $0.selectAll } + [LedgerReader.selectGalleries]

    /// The statements that find rows by key or by scope.
    package static let lookups =
        Schema.records.filter { $0.scopeColumn != nil }.map { $0.selectAll }
        + Schema.records.flatMap { [$0.selectByKey, $0.selectChecksum, $0.deleteByKey] }
        + [PhotoTableRecord.selectNumber, PhotoTableRecord.selectLastNumber, LedgerWriter.check]
        + [MarkRecord.selectCodes]
        + [TableTotal.selectByKey, TableTotal.selectByName, TableTotal.deleteByKey]

    /// The statements that write a row, or update the row with the same key.
    package static func upserts() throws -> [String] {
        try DatabaseQueue().write { empty in
            try empty.execute(sql: Schema.tables)
            return try Schema.records.map { record in
                record.upsert(try empty.columns(in: record.databaseTableName).map(\.name))
            }
        }
    }
}

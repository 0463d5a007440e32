/// The statements by which a build reads and writes rows, for whoever wants to know how SQLite goes about them.
package enum Statements {
    /// Statements that read a whole table, when the ledger is opened.
    package static let scans = Table.all.filter { $0.scope == nil }.map(\.selectAll) + [LedgerReader.selectGalleries]

    /// Statements that find rows by their key, or by their owner.
    package static let lookups =
        Table.all.filter { $0.scope != nil }.map(\.selectAll)
        + Table.numbered.flatMap { [$0.selectNumber, $0.selectLastNumber] }
        + Table.all.flatMap { [$0.selectOne, $0.selectSum, $0.put, $0.remove] }
        + [
            LedgerWriter.check, TableChecksum.select, TableChecksum.selectScopes, TableChecksum.put,
            TableChecksum.remove,
        ]
}

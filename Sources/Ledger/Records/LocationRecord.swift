internal import GRDB
internal import PhotoModel

/// The target of the redirects of a manifest's address.
struct LocationRecord: LedgerRecord {
    static let databaseTableName = "location"
    static let keyColumns = ["key"]

    /// The digest of `Source.key`.
    let source: Digest
    let url: String

    init(source: Digest, url: String) {
        self.source = source
        self.url = url
    }

    init(row: Row) throws { self.init(source: try row.value("key"), url: try row.value("url")) }

    var key: StatementArguments { [source] }
    var covered: ColumnValues { ["key": source, "url": url] }
}

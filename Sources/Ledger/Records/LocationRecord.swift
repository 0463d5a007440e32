internal import GRDB
internal import PhotoModel

/// The URL that the redirects of a manifest's address led to.
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

    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(source: try columns.next(), url: try columns.next())
    }

    var key: StatementArguments { [source] }
    var covered: ColumnValues { ["key": source, "url": url] }
}

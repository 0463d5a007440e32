internal import GRDB

/// The slug of an album.
struct AlbumRecord: LedgerRecord {
    static let databaseTableName = "album"
    static let scopeColumn: String? = "gallery"
    static let keyColumns = ["gallery", "path"]

    let scope: String
    let path: String
    let slug: String

    init(gallery: String, path: String, slug: String) {
        scope = gallery
        self.path = path
        self.slug = slug
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(gallery: try columns.next(), path: try columns.next(), slug: try columns.next())
    }

    var key: StatementArguments { [scope, path] }
    var covered: ColumnValues { ["path": path, "slug": slug] }
}

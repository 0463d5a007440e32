internal import GRDB

/// The revision of a gallery: it goes up whenever a photo comes to look different.
struct RevisionRecord: LedgerRecord {
    static let databaseTableName = "gallery"
    static let keyColumns = ["key"]

    let gallery: String
    let revision: Int64

    init(gallery: String, revision: Int64) {
        self.gallery = gallery
        self.revision = revision
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(gallery: try columns.next(), revision: try columns.next())
    }

    var key: StatementArguments { [gallery] }
    var covered: ColumnValues { ["key": gallery, "revision": revision] }
}

/// When all photos of a gallery were looked at, seconds since 1970, for those that have an earlier time: a build that
/// asks for all of them and finds nothing new writes one row.
struct LookRecord: LedgerRecord {
    static let databaseTableName = "look"
    static let keyColumns = ["gallery"]

    let gallery: String
    let checked: Int64

    init(gallery: String, checked: Int64) {
        self.gallery = gallery
        self.checked = checked
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(gallery: try columns.next(), checked: try columns.next())
    }

    var key: StatementArguments { [gallery] }
    var covered: ColumnValues { ["gallery": gallery, "checked": checked] }
}

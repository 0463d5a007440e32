internal import GRDB

/// The revision of a gallery. It is increased whenever a photo changes in a way that its pages show.
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

/// The time at which all photos of a gallery were checked, in seconds since 1970. It replaces the time of each photo
/// whose own one is earlier. So a build that requests all photos and finds nothing new writes a single row.
struct CheckTimeRecord: LedgerRecord {
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

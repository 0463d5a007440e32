internal import GRDB
package import PhotoModel

/// An earlier original of a photo, which its source has replaced by another one.
package struct PhotoVersion: Hashable, Codable, Sendable {
    /// The digest of the original.
    package let original: Digest
    /// The time at which the original was received, in seconds since 1970; nil if unknown.
    package let fetched: Int64?

    package init(original: Digest, fetched: Int64?) {
        self.original = original
        self.fetched = fetched
    }
}

/// An earlier original of a photo. Most photos have none.
struct VersionRecord: LedgerRecord {
    static let databaseTableName = "version"
    static let scopeColumn: String? = "gallery"
    static let keyColumns = ["gallery", "photo", "position"]

    let scope: String
    /// The number of the photo's row.
    let photo: Int64
    /// The position among the photo's versions. The latest is at 0.
    let position: Int
    let version: PhotoVersion

    init(_ version: PhotoVersion, gallery: String, photo: Int64, position: Int) {
        scope = gallery
        self.photo = photo
        self.position = position
        self.version = version
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        scope = try columns.next()
        photo = try columns.next()
        position = try columns.next()
        version = PhotoVersion(original: try columns.next(), fetched: try columns.next())
    }

    var key: StatementArguments { [scope, photo, position] }

    var covered: ColumnValues {
        ["photo": photo, "position": position, "sha256": version.original, "fetched": version.fetched]
    }
}

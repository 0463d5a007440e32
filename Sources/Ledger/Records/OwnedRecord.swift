internal import GRDB
internal import PhotoModel

/// The row of a file of the site.
///
/// Each publication in an output folder has a number, one more than that of the last completed one
/// (`SiteRow.publication`). It writes the row of each file before the file is put in place, and nothing more if it is
/// completed. Until then, the path can have the new file or the one that was there before.
struct OwnedRecord: LedgerRecord {
    static let databaseTableName = "owned"
    static let scopeColumn: String? = "output"
    static let keyColumns = ["output", "path"]

    /// The name of the output folder (`StoredPaths`).
    let scope: String
    /// The path relative to the output folder.
    let path: String
    /// The file as it is once the publication is completed.
    let claim: FileClaim
    /// The number of the publication that puts the file in place.
    let publication: Int64

    init(_ claim: FileClaim, at path: String, output: String, publication: Int64) {
        scope = output
        self.path = path
        self.claim = claim
        self.publication = publication
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        scope = try columns.next()
        path = try columns.next()
        let file = OwnedFile(digest: try columns.next(), bytes: try columns.next(), key: try columns.next())
        claim = FileClaim(file, replacing: try columns.next())
        publication = try columns.next()
    }

    /// The known properties of the file at the path. Until the publication is completed, its digest is unknown.
    /// - Parameter completed: the number of the last completed publication.
    func file(completed: Int64) -> OwnedFile { publication <= completed ? claim.file : claim.interrupted }

    var key: StatementArguments { [scope, path] }

    var covered: ColumnValues {
        [
            "path": path, "digest": claim.file.digest, "bytes": claim.file.bytes, "key": claim.file.key,
            "replaced": claim.replacedDigest, "publication": publication,
        ]
    }
}

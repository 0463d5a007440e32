internal import GRDB
internal import PhotoModel

/// The row of a file of the site.
struct OwnedRecord: LedgerRecord {
    static let databaseTableName = "owned"
    static let scopeColumn: String? = "output"
    static let keyColumns = ["output", "path"]

    /// The name of the output folder (`StoredPaths`).
    let scope: String
    /// The path relative to the output folder.
    let path: String
    let file: OwnedFile

    init(_ file: OwnedFile, at path: String, output: String) {
        scope = output
        self.path = path
        self.file = file
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        scope = try columns.next()
        path = try columns.next()
        file = OwnedFile(digest: try columns.next(), bytes: try columns.next(), key: try columns.next())
    }

    /// Calls `read` with the path and the size in bytes of each file in an output folder.
    static func forEachSize(in output: String, _ database: Database, _ read: (String, Int64) throws -> Void) throws {
        try forEachRow(in: output, database) { row in
            var columns = ColumnReader(row)
            columns.skip(1)
            let path: String = try columns.next()
            columns.skip(1)
            try read(path, try columns.next())
        }
    }

    var key: StatementArguments { [scope, path] }

    var covered: ColumnValues {
        // If the digest is unknown, the column `key` holds the digest of the file that was there before.
        ["path": path, "digest": file.digest, "bytes": file.bytes, "key": file.key ?? file.replacedDigest]
    }
}

internal import GRDB
package import PhotoModel

/// A file that we wrote, as the ledger remembers it.
package typealias OwnedRow = OwnedFile

struct OwnedRecord: LedgerRecord {
    static let databaseTableName = "owned"
    static let scopeColumn: String? = "output"
    static let keyColumns = ["output", "path"]

    /// The name of the output folder (`StoredPaths`).
    let scope: String
    /// In the output folder.
    let path: String
    let file: OwnedRow

    init(_ file: OwnedRow, at path: String, output: String) {
        scope = output
        self.path = path
        self.file = file
    }

    init(row: Row) throws {
        scope = try row.value("output")
        path = try row.value("path")
        file = OwnedRow(digest: try row.value("digest"), bytes: try row.value("bytes"), key: try row.value("key"))
    }

    var key: StatementArguments { [scope, path] }

    var covered: ColumnValues {
        // Without a digest the key is that of what stood there before.
        ["path": path, "digest": file.digest, "bytes": file.bytes, "key": file.key ?? file.digestBefore]
    }
}

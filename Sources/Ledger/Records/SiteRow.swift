internal import GRDB
package import PhotoModel

/// The record of an output folder: the inputs of its pages, and our files in it.
package struct SiteRow: Hashable, Sendable {
    /// Absolute path of the output folder; in the tables its name (`StoredPaths`).
    package private(set) var output: String
    /// Digest of everything that its pages show.
    package var content: Digest
    /// Digest of the templates and of the program's version.
    package var templates: Digest
    /// The time of the last change, seconds since 1970.
    package var updated: Int64
    /// The inputs of the pages besides the photos' rows, as a text of the gallery. If they are the same and no row has
    /// changed since `revision`, the content is the same. nil if unknown.
    package var inputs: String?
    /// The gallery's revision when the pages were made.
    package var revision: Int64
    /// Path in the output folder → digest of the file.
    package var owned: [String: OwnedRow]

    package init(
        output: String, content: Digest, templates: Digest, updated: Int64, inputs: String? = nil, revision: Int64 = 0,
        owned: [String: OwnedRow]
    ) {
        self.output = output
        self.content = content
        self.templates = templates
        self.updated = updated
        self.inputs = inputs
        self.revision = revision
        self.owned = owned
    }

    /// The same, of an output folder that is called otherwise.
    func renamed(_ output: String) -> SiteRow {
        var site = self
        site.output = output
        return site
    }
}

extension SiteRow: LedgerRecord {
    static let databaseTableName = "site"
    static let keyColumns = ["output"]

    /// Without its files.
    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(
            output: try columns.next(), content: try columns.next(), templates: try columns.next(),
            updated: try columns.next(), inputs: try columns.next(), revision: try columns.next(), owned: [:])
    }

    var key: StatementArguments { [output] }

    var covered: ColumnValues {
        [
            "output": output, "content": content, "templates": templates, "updated": updated, "inputs": inputs,
            "revision": revision,
        ]
    }
}

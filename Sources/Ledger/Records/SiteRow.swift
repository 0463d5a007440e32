internal import GRDB
package import PhotoModel

/// The record of an output folder: the inputs of its pages, and the files of the site in it.
package struct SiteRow: Hashable, Sendable {
    /// The absolute path of the output folder. In the tables, this is its name (`StoredPaths`).
    package private(set) var output: String
    /// The digest of everything that the pages show.
    package var content: Digest
    /// The digest of the templates and of the program's version.
    package var templates: Digest
    /// The time of the site's last change, in seconds since 1970.
    package var updated: Int64
    /// The inputs of the pages other than the photos' rows, as a text that Gallery defines. If they are the same and no
    /// row has changed since `revision`, the content is the same. nil if unknown.
    package var inputs: String?
    /// The gallery's revision when the pages were rendered.
    package var revision: Int64
    /// The number of the last publication that was completed, counted from 1; 0 if none was. The ledger sets it.
    package internal(set) var publication: Int64
    /// The files of the site, by path relative to the output folder. A row that is to be recorded needs only those
    /// at the paths that have changed.
    package var owned: [String: OwnedFile]

    package init(
        output: String, content: Digest, templates: Digest, updated: Int64, inputs: String? = nil, revision: Int64 = 0,
        publication: Int64 = 0, owned: [String: OwnedFile]
    ) {
        self.output = output
        self.content = content
        self.templates = templates
        self.updated = updated
        self.inputs = inputs
        self.revision = revision
        self.publication = publication
        self.owned = owned
    }

    /// The same row under another name of the output folder.
    func renamed(_ output: String) -> SiteRow {
        var site = self
        site.output = output
        return site
    }
}

extension SiteRow: LedgerRecord {
    static let databaseTableName = "site"
    static let keyColumns = ["output"]

    /// Reads the row without the list of files.
    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(
            output: try columns.next(), content: try columns.next(), templates: try columns.next(),
            updated: try columns.next(), inputs: try columns.next(), revision: try columns.next(),
            publication: try columns.next(), owned: [:])
    }

    var key: StatementArguments { [output] }

    var covered: ColumnValues {
        [
            "output": output, "content": content, "templates": templates, "updated": updated, "inputs": inputs,
            "revision": revision, "publication": publication,
        ]
    }
}

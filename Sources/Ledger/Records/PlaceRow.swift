internal import GRDB

/// The place of a gallery or output folder at its last build.
struct PlaceRow: Hashable {
    /// The gallery's, or the name of the output folder (`StoredPaths`).
    let name: String
    /// The absolute path of an output folder, or the `GalleryPlace.absoluteKey` of a gallery.
    let absolute: String
    /// The manifests of a gallery, for people, a line each; files by their names (`StoredPaths`).
    var manifests = ""
    /// The name of a gallery's output folder.
    var output = ""
}

extension PlaceRow: LedgerRecord {
    static let databaseTableName = "place"
    static let keyColumns = ["key"]

    init(row: Row) throws {
        self.init(
            name: try row.value("key"), absolute: try row.value("absolute"), manifests: try row.value("manifests"),
            output: try row.value("output"))
    }

    var key: StatementArguments { [name] }

    var covered: ColumnValues {
        ["key": name, "absolute": absolute, "manifests": manifests, "output": output]
    }
}

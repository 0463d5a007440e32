internal import GRDB
internal import PhotoModel

/// The place of a gallery or output folder at its last build.
struct PlaceRow: Hashable {
    /// The key of the gallery, or the name of the output folder (`StoredPaths`).
    let name: String
    /// The absolute path of an output folder, or the `GalleryIdentity.absoluteKey` of a gallery.
    let absolute: String
    /// The manifests of a gallery for people, one in a line. Files have their names in the ledger (`StoredPaths`).
    var manifests = ""
    /// The name of a gallery's output folder.
    var output = ""

    /// Paths can differ only in their Unicode normalisation.
    static func == (left: PlaceRow, right: PlaceRow) -> Bool { left.texts == right.texts }

    func hash(into hasher: inout Hasher) { hasher.combine(texts) }

    private var texts: [ExactText] { [name, absolute, manifests, output].map { ExactText($0) } }
}

extension PlaceRow: LedgerRecord {
    static let databaseTableName = "place"
    static let keyColumns = ["key"]

    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(
            name: try columns.next(), absolute: try columns.next(), manifests: try columns.next(),
            output: try columns.next())
    }

    var key: StatementArguments { [name] }

    var covered: ColumnValues {
        ["key": name, "absolute": absolute, "manifests": manifests, "output": output]
    }
}

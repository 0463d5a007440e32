internal import GRDB

/// The place of a gallery or output folder at its last build.
struct PlaceRow: Hashable {
    /// The gallery's, or the name of the output folder (`StoredPaths`).
    let key: String
    /// The absolute path of an output folder, or the `GalleryPlace.absoluteKey` of a gallery.
    let absolute: String
    /// The manifests of a gallery, for people, a line each; files by their names (`StoredPaths`).
    var manifests = ""
    /// The name of a gallery's output folder.
    var output = ""
}

extension LedgerReader {
    /// - Returns: the rows by key.
    static func places(_ database: Database) throws -> [String: PlaceRow] {
        var places: [String: PlaceRow] = [:]
        try SQLiteRow.forEach(.place, database) { row in
            let place = PlaceRow(
                key: try row.text(0), absolute: try row.text(1), manifests: try row.text(2), output: try row.text(3))
            places[place.key] = place
        }
        return places
    }
}

extension LedgerWriter {
    static func save(_ place: PlaceRow, _ change: inout LedgerTransaction) throws {
        try change.put(
            .place, [.string(place.key), .string(place.absolute), .string(place.manifests), .string(place.output)])
    }
}

/// A table of the ledger, and the statements by which it is read and written. There are no others that touch its
/// rows: so every row has its sum, and every table its total.
struct Table: Sendable {
    /// In two bits.
    enum NumberingTag: UInt64 {
        case source = 1
        case original, photo
    }

    let name: String
    /// The column that says whose a row is: a gallery's, or an output folder's. nil for a table that all share.
    let scope: String?
    /// What the sum covers, in this order; the first one is the key, within the scope. For a table in the order in
    /// which its rows came that is a number, and what the row is of, a digest, is the second one.
    let columns: [String]
    /// What tells the digests of a table whose rows are numbered from those of others (`RowIDMap`); nil for one of
    /// another kind.
    let numberingTag: NumberingTag?
    /// Columns that the checksum leaves out, because they are written often and do no harm.
    let uncovered: [String]

    /// All rows of a scope: the columns, the sum, and what it does not cover.
    let selectAll: String
    /// One row, as above.
    let selectOne: String
    let selectSum: String
    let put: String
    let remove: String

    init(
        _ name: String, scope: String? = nil, _ columns: [String], uncovered: [String] = [],
        numberingTag: NumberingTag? = nil
    ) {
        self.name = name
        self.scope = scope
        self.columns = columns
        self.uncovered = uncovered
        self.numberingTag = numberingTag
        let read = (columns + ["sum"] + uncovered).joined(separator: ", ")
        let one = (scope.map { "\($0) = ? AND " } ?? "") + "\(columns[0]) = ?"
        selectAll = "SELECT \(read) FROM \(name)" + (scope.map { " WHERE \($0) = ?" } ?? "")
        selectOne = "SELECT \(read) FROM \(name) WHERE \(one)"
        selectSum = "SELECT sum FROM \(name) WHERE \(one)"
        let written = [scope].compactMap { $0 } + columns + ["sum"] + uncovered
        put =
            "INSERT OR REPLACE INTO \(name) (\(written.joined(separator: ", "))) VALUES "
            + "(\(written.map { _ in "?" }.joined(separator: ", ")))"
        remove = "DELETE FROM \(name) WHERE \(one)"
    }

    static let source = Table(
        "source",
        [
            "number", "key", "sha256", "bytes", "etag", "last_modified", "file_stamp", "validated", "fresh_until",
            "retry_after", "retry_status", "fetched", "caching", "refusal",
        ], numberingTag: .source)
    static let original = Table("original", ["number", "sha256", "facts"], numberingTag: .original)
    static let recipe = Table("recipe", ["id", "text"])
    /// When a photo was looked at last is on no page, and is written wherever it is not that of `look`.
    static let photo = Table(
        "photo", scope: "gallery",
        [
            "number", "key", "slug", "state", "code", "reason", "since", "stale_since", "stale_code", "stale_reason",
            "sha256", "pictures", "attempts", "source", "recipe", "back", "fetched",
        ], uncovered: ["checked"], numberingTag: .photo)
    static let album = Table("album", scope: "gallery", ["path", "slug"])
    static let gallery = Table("gallery", ["key", "revision"])
    /// When all photos of a gallery were looked at, for those that have an earlier time: a build that asks for all of
    /// them and finds nothing new writes one row.
    static let look = Table("look", ["gallery", "checked"])
    static let site = Table("site", ["output", "content", "templates", "updated", "inputs", "revision"])
    static let place = Table("place", ["key", "absolute", "manifests", "output"])
    static let owned = Table("owned", scope: "output", ["path", "digest", "bytes", "key"])

    /// The targets of redirects of manifests' addresses.
    static let location = Table("location", ["key", "url"])

    static let all = [source, original, recipe, photo, album, gallery, look, site, owned, place, location]
}

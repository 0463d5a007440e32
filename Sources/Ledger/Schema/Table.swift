/// A table of the ledger, and the statements by which it is read and written. There are no others that touch its
/// rows: so every row has its sum, and every table its total.
struct Table: Sendable {
    let name: String
    /// The column that says whose a row is: a gallery's, or an output folder's. nil for a table that all share.
    let scope: String?
    /// The columns that the sum covers, in this order. The first one is the key, within the scope. In a numbered table
    /// the key is a number that rows get in the order in which they come, so that what a build learns of a photo, of
    /// its address and of its original is written beside what it learnt just before; the second column is the digest
    /// by which a row is found, with a unique index (`Schema.changesOfVersion10`).
    let columns: [String]
    /// Columns that the checksum leaves out, because they are written often and do no harm.
    let uncovered: [String]

    /// All rows of a scope: the columns, the sum, and what it does not cover.
    let selectAll: String
    /// One row, as above.
    let selectOne: String
    let selectSum: String
    /// The number of the row of a digest, in a numbered table.
    let selectNumber: String
    /// The highest number, in a numbered table.
    let selectLastNumber: String
    let put: String
    let remove: String

    init(_ name: String, scope: String? = nil, _ columns: [String], uncovered: [String] = []) {
        self.name = name
        self.scope = scope
        self.columns = columns
        self.uncovered = uncovered
        let read = (columns + ["sum"] + uncovered).joined(separator: ", ")
        let inScope = scope.map { "\($0) = ? AND " } ?? ""
        let one = inScope + "\(columns[0]) = ?"
        selectAll = "SELECT \(read) FROM \(name)" + (scope.map { " WHERE \($0) = ?" } ?? "")
        selectOne = "SELECT \(read) FROM \(name) WHERE \(one)"
        selectSum = "SELECT sum FROM \(name) WHERE \(one)"
        selectNumber = "SELECT number FROM \(name) WHERE \(inScope)\(columns[1]) = ?"
        selectLastNumber = "SELECT max(number) FROM \(name)" + (scope.map { " WHERE \($0) = ?" } ?? "")
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
        ])
    static let original = Table("original", ["number", "sha256", "facts"])
    static let recipe = Table("recipe", ["id", "text"])
    /// When a photo was looked at last is on no page, and is written wherever it is not that of `look`.
    static let photo = Table(
        "photo", scope: "gallery",
        [
            "number", "key", "slug", "state", "code", "reason", "since", "stale_since", "stale_code", "stale_reason",
            "sha256", "pictures", "attempts", "source", "recipe", "back", "fetched",
        ], uncovered: ["checked"])
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

    static let numbered = [source, original, photo]
    static let all = [source, original, recipe, photo, album, gallery, look, site, owned, place, location]
}

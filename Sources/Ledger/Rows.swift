internal import GRDB
internal import PhotoModel

/// The statements that read the ledger. All look rows up by a key's beginning, or read a table once from its first row to
/// its last.
enum Rows {
    static func sources(_ database: Database) throws -> [String: SourceRow] {
        var times = RepeatedText()
        var rows: [String: SourceRow] = [:]
        rows.reserveCapacity(try count("source", database))
        try Columns.forEach(
            database,
            """
            SELECT key, sha256, bytes, etag, last_modified, file_stamp, validated, fresh_until, retry_after,
                retry_status, fetched FROM source
            """
        ) { row in
            let source = SourceRow(
                key: try row.text(0), sha256: try row.optionalDigest(1), bytes: try row.number(2),
                etag: try row.optionalText(3), lastModified: try times.optionalText(row, 4),
                fileStamp: try row.optionalText(5), validated: try row.optionalNumber(6),
                freshUntil: try row.optionalNumber(7), retryAfter: try row.optionalNumber(8),
                retryStatus: try row.optionalNumber(9).map { Int($0) }, fetched: try row.optionalNumber(10))
            rows[source.key] = source
        }
        return rows
    }

    static func originals(_ database: Database) throws -> [Digest: String] {
        var facts = RepeatedText()
        var rows: [Digest: String] = [:]
        rows.reserveCapacity(try count("original", database))
        try Columns.forEach(database, "SELECT sha256, facts FROM original") { row in
            rows[try row.digest(0)] = try facts.text(row, 1)
        }
        return rows
    }

    /// - Parameter sources: what is remembered of addresses: photos have the keys of these.
    static func photos(
        _ database: Database, gallery: String, sources: [String: SourceRow]
    ) throws -> [String: PhotoRow] {
        let recipes = try recipes(database)
        var rows: [String: PhotoRow] = [:]
        rows.reserveCapacity(try count("photo", database))
        try Columns.forEach(
            database,
            """
            SELECT key, slug, state, code, message, since, stale_since, stale_code, stale_message, sha256,
                pictures, attempts, checked, source, recipe, back, fetched FROM photo WHERE gallery = ?
            """, [gallery]
        ) { row in
            guard let state = PhotoState(rawValue: try row.text(2)) else { throw Columns.damaged("state") }
            guard let pictures = PictureList(text: try row.text(10)) else { throw Columns.damaged("list of pictures") }
            let stale = try row.reason(7).flatMap { reason in
                try row.optionalNumber(6).map { StaleMark(since: $0, reason: reason) }
            }
            let photo = PhotoRow(
                key: try row.text(0), source: try row.optionalText(13).map { sources[$0]?.key ?? $0 },
                slug: try row.text(1), state: state,
                reason: try row.reason(3), since: try row.number(5), stale: stale, sha256: try row.optionalDigest(9),
                pictures: pictures, recipe: try row.optionalNumber(14).flatMap { recipes[$0] },
                back: try row.optionalNumber(15), fetched: try row.optionalNumber(16),
                attempts: Int(try row.number(11)), checked: try row.number(12))
            rows[photo.key] = photo
        }
        return rows
    }

    /// By number: few, as photos share them.
    private static func recipes(_ database: Database) throws -> [Int64: String] {
        var recipes: [Int64: String] = [:]
        try Columns.forEach(database, "SELECT id, text FROM recipe") { recipes[try $0.number(0)] = try $0.text(1) }
        return recipes
    }

    static func albums(_ database: Database, gallery: String) throws -> [String: String] {
        var rows: [String: String] = [:]
        try Columns.forEach(database, "SELECT path, slug FROM album WHERE gallery = ?", [gallery]) { row in
            rows[try row.text(0)] = try row.text(1)
        }
        return rows
    }

    static func revision(_ database: Database, gallery: String) throws -> Int64 {
        var revision: Int64 = 0
        try Columns.forEach(database, "SELECT revision FROM gallery WHERE key = ?", [gallery]) {
            revision = try $0.number(0)
        }
        return revision
    }

    /// - Parameter withFiles: false leaves out which files are ours.
    static func site(_ database: Database, output: String, withFiles: Bool) throws -> SiteRow? {
        var site: SiteRow?
        try Columns.forEach(
            database, "SELECT content, templates, updated, inputs, revision FROM site WHERE output = ?", [output]
        ) { row in
            site = SiteRow(
                output: output, content: try row.digest(0), templates: try row.digest(1), updated: try row.number(2),
                inputs: try row.optionalText(3), revision: try row.number(4), owned: [:])
        }
        if withFiles { site?.owned = try owned(database, output: output) } else { try checkOwned(database) }
        return site
    }

    /// Finds damage in what is read later, when a damaged ledger cannot be set aside any more.
    private static func checkOwned(_ database: Database) throws {
        try Columns.forEach(
            database,
            """
            SELECT count(*) FROM owned WHERE typeof(path) <> 'text' OR typeof(bytes) <> 'integer'
                OR length(digest) <> 64 OR length(key) <> 64
            """
        ) { row in
            guard try row.number(0) == 0 else { throw Columns.damaged("file") }
        }
    }

    static func owned(_ database: Database, output: String) throws -> [String: OwnedRow] {
        var owned: [String: OwnedRow] = [:]
        owned.reserveCapacity(try count("owned", database))
        try forEachOwnedRow(database, output: output) { owned[$0] = $1 }
        return owned
    }

    /// Calls `visit` with the path of each file that is ours, and all that is remembered of it.
    static func forEachOwnedRow(
        _ database: Database, output: String, _ visit: (String, OwnedRow) throws -> Void
    ) throws {
        try Columns.forEach(
            database, "SELECT path, digest, bytes, key FROM owned WHERE output = ?", [output]
        ) { row in
            let file = OwnedRow(
                digest: try row.optionalDigest(1), bytes: try row.number(2), key: try row.optionalDigest(3))
            try visit(try row.text(0), file)
        }
    }

    static func owned(_ database: Database, output: String, path: String) throws -> OwnedRow? {
        var owned: OwnedRow?
        try Columns.forEach(
            database, "SELECT digest, bytes, key FROM owned WHERE output = ? AND path = ?", [output, path]
        ) { row in
            owned = OwnedRow(
                digest: try row.optionalDigest(0), bytes: try row.number(1), key: try row.optionalDigest(2))
        }
        return owned
    }

    /// Calls `visit` with the path and the size of each file that is ours.
    static func forEachOwned(
        _ database: Database, output: String, _ visit: (String, Int64) throws -> Void
    ) throws {
        try Columns.forEach(database, "SELECT path, bytes FROM owned WHERE output = ?", [output]) {
            try visit(try $0.text(0), try $0.number(1))
        }
    }

    /// How many rows there may be, so that a dictionary need not grow.
    private static func count(_ table: String, _ database: Database) throws -> Int {
        var count: Int64 = 0
        try Columns.forEach(database, "SELECT count(*) FROM \(table)") { count = try $0.number(0) }
        // A damaged file may claim anything.
        return Int(min(max(0, count), 1_000_000))
    }
}

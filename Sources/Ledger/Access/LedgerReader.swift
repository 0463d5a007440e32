internal import GRDB
internal import PhotoModel

/// Reads rows of the ledger. A table is read once from its first row to its last, or by a key.
enum LedgerReader {
    static func sources(_ database: Database) throws -> [Digest: SourceRow] {
        var times = StringInterner()
        var caching = StringInterner()
        var rows: [Digest: SourceRow] = [:]
        rows.reserveCapacity(try TableChecksum.recorded(.source, "", database).capacity)
        try SQLiteRow.forEach(.source, database) { row in
            let source = SourceRow(
                key: try row.digest(1), sha256: try row.optionalDigest(2), bytes: try row.number(3),
                etag: try row.optionalText(4), lastModified: try times.optionalText(row, 5),
                fileStamp: try row.optionalText(6), validated: try row.optionalNumber(7),
                freshUntil: try row.optionalNumber(8), retryAfter: try row.optionalNumber(9),
                retryStatus: try row.optionalNumber(10).map { Int($0) }, fetched: try row.optionalNumber(11),
                caching: try caching.optionalText(row, 12), refusal: try row.optionalText(13))
            try add(source, of: source.key, to: &rows, .source)
        }
        return rows
    }

    static func locations(_ database: Database) throws -> [Digest: String] {
        var rows: [Digest: String] = [:]
        try SQLiteRow.forEach(.location, database) { row in
            try add(try row.text(1), of: try row.digest(0), to: &rows, .location)
        }
        return rows
    }

    static func originals(_ database: Database) throws -> [Digest: String] {
        var facts = StringInterner()
        var rows: [Digest: String] = [:]
        rows.reserveCapacity(try TableChecksum.recorded(.original, "", database).capacity)
        try SQLiteRow.forEach(.original, database) { row in
            try add(try facts.text(row, 2), of: try row.digest(1), to: &rows, .original)
        }
        return rows
    }

    private static func add<Row>(
        _ row: Row, of digest: Digest, to rows: inout [Digest: Row], _ table: Table
    ) throws {
        guard rows.updateValue(row, forKey: digest) == nil else { throw SQLiteRow.isTwice(table) }
    }

    /// Every gallery that has photos, be it only by the rows or only by their totals: damage to one of these must not
    /// hide one, as what no gallery refers to may be removed.
    static func galleries(_ database: Database) throws -> Set<String> {
        var galleries = Set(try TableChecksum.scopes(of: .photo, database))
        try database.run(selectGalleries, []) { galleries.insert(try $0.text(0)) }
        return galleries
    }

    static let selectGalleries = "SELECT DISTINCT gallery FROM photo"

    static func photos(_ database: Database, gallery: String) throws -> [Digest: PhotoRow] {
        let recipes = try recipes(database)
        let look = try look(database, gallery: gallery)
        var reasons = ReasonColumn()
        var rows: [Digest: PhotoRow] = [:]
        rows.reserveCapacity(try TableChecksum.recorded(.photo, gallery, database).capacity)
        try SQLiteRow.forEach(.photo, in: gallery, database) { row in
            // A newer version may know states and reasons that this one does not: such a photo is done again, and
            // what it refers to is still needed.
            let known = PhotoState(rawValue: try row.text(3))
            let reason = try reasons.reason(row, 4)
            let staleReason = try reasons.reason(row, 8)
            let isKnown =
                known != nil && (reason != nil || row.isNull(4)) && (staleReason != nil || row.isNull(8))
            guard let pictures = PictureList(text: try row.text(11)) else {
                throw SQLiteRow.damaged("a row holds a text that is no list of pictures")
            }
            let stale = try staleReason.flatMap { reason in
                try row.optionalNumber(7).map { StaleMark(since: $0, reason: reason) }
            }
            let photo = PhotoRow(
                key: try row.digest(1), source: try row.optionalDigest(13), slug: try row.text(2),
                state: isKnown ? known ?? .new : .new,
                reason: isKnown ? reason : nil, since: try row.number(6), stale: isKnown ? stale : nil,
                sha256: try row.optionalDigest(10), pictures: pictures,
                recipe: isKnown ? try row.optionalNumber(14).flatMap { recipes[$0] } : nil,
                back: try row.optionalNumber(15), fetched: try row.optionalNumber(16),
                attempts: Int(try row.number(12)), checked: max(try row.number(18), look))
            try add(photo, of: photo.key, to: &rows, .photo)
        }
        return rows
    }

    /// The recipes by number. They are few, because photos share them.
    private static func recipes(_ database: Database) throws -> [Int64: String] {
        var recipes: [Int64: String] = [:]
        try SQLiteRow.forEach(.recipe, database) { recipes[try $0.number(0)] = try $0.text(1) }
        return recipes
    }

    static func albums(_ database: Database, gallery: String) throws -> [String: String] {
        var rows: [String: String] = [:]
        try SQLiteRow.forEach(.album, in: gallery, database) { rows[try $0.text(0)] = try $0.text(1) }
        return rows
    }

    static func revision(_ database: Database, gallery: String) throws -> Int64 {
        var revision: Int64 = 0
        // Few, and all of them are looked at: a row that is lost is not one that never was.
        try SQLiteRow.forEach(.gallery, database) { if try $0.text(0) == gallery { revision = try $0.number(1) } }
        return revision
    }

    /// Before which no photo of the gallery was last looked at, seconds since 1970; 0 where that is not recorded.
    static func look(_ database: Database, gallery: String) throws -> Int64 {
        var look: Int64 = 0
        // Likewise.
        try SQLiteRow.forEach(.look, database) { if try $0.text(0) == gallery { look = try $0.number(1) } }
        return look
    }

    /// - Parameter withFiles: false leaves out which files are ours.
    static func site(_ database: Database, output: String, withFiles: Bool) throws -> SiteRow? {
        var site: SiteRow?
        // Likewise.
        try SQLiteRow.forEach(.site, database) { row in
            guard try row.text(0) == output else { return }
            site = SiteRow(
                output: output, content: try row.digest(1), templates: try row.digest(2), updated: try row.number(3),
                inputs: try row.optionalText(4), revision: try row.number(5), owned: [:])
        }
        if withFiles { site?.owned = try owned(database, output: output) }
        return site
    }

    static func owned(_ database: Database, output: String) throws -> [String: OwnedRow] {
        var owned: [String: OwnedRow] = [:]
        owned.reserveCapacity(try TableChecksum.recorded(.owned, output, database).capacity)
        try forEachOwnedRow(database, output: output) { owned[$0] = $1 }
        return owned
    }

    /// Calls `visit` with the path of each file that is ours, and all that is remembered of it.
    static func forEachOwnedRow(
        _ database: Database, output: String, _ visit: (String, OwnedRow) throws -> Void
    ) throws {
        try SQLiteRow.forEach(.owned, in: output, database) { row in
            try visit(try row.text(0), try owned(row))
        }
    }

    static func owned(_ database: Database, output: String, path: String) throws -> OwnedRow? {
        var owned: OwnedRow?
        try SQLiteRow.forOne(.owned, in: output, key: path, database) { owned = try self.owned($0) }
        return owned
    }

    private static func owned(_ row: SQLiteRow) throws -> OwnedRow {
        OwnedRow(digest: try row.optionalDigest(1), bytes: try row.number(2), key: try row.optionalDigest(3))
    }

    /// Calls `visit` with the path and the size of each file that is ours.
    static func forEachOwned(
        _ database: Database, output: String, _ visit: (String, Int64) throws -> Void
    ) throws {
        try SQLiteRow.forEach(.owned, in: output, database) { try visit(try $0.text(0), try $0.number(2)) }
    }
}

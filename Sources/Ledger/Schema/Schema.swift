internal import Foundation
internal import GRDB

/// The tables of the ledger, and the header fields that identify a file as a ledger.
enum Schema {
    /// SQLite's application id, "GGen" in ASCII, so that a foreign database is never taken for a ledger.
    static let applicationID: Int64 = 0x4747_656E
    /// The version of the tables, which must be increased with every change of them. Older ledgers are migrated
    /// (`Migration`), and newer ones are left alone.
    static let version: Int64 = 16

    /// The tables except that of the totals.
    static let records: [any LedgerRecord.Type] = [
        SourceRecord.self, OriginalRow.self, RecipeRecord.self, PhotoTableRecord.self, PictureRecord.self,
        VersionRecord.self, MarkRecord.self, AlbumRecord.self, RevisionRecord.self, CheckTimeRecord.self,
        SiteRow.self, OwnedRecord.self, PlaceRow.self, LocationRecord.self,
    ]

    /// The statements that create the tables. Each row has a checksum (`RowChecksum`), each table has totals
    /// (`TableTotal`). The columns are in the order of `LedgerRecord.covered`.
    static let tables = """
        CREATE TABLE source (
            key TEXT PRIMARY KEY NOT NULL, sha256 TEXT, bytes INTEGER NOT NULL, etag TEXT, last_modified TEXT,
            file_size INTEGER, file_modified INTEGER, file_changed INTEGER, file_inode INTEGER, validated INTEGER,
            fresh_until INTEGER, retry_after INTEGER, retry_status INTEGER, fetched INTEGER, caching TEXT, refusal TEXT,
            moved TEXT, responder TEXT, sum INTEGER NOT NULL
        );
        CREATE TABLE original (
            sha256 TEXT PRIMARY KEY NOT NULL, edition INTEGER, format TEXT NOT NULL, width INTEGER NOT NULL,
            height INTEGER NOT NULL, has_transparency INTEGER NOT NULL, taken TEXT, camera TEXT, lens TEXT,
            exposure TEXT, sum INTEGER NOT NULL
        );
        CREATE TABLE recipe (id INTEGER PRIMARY KEY NOT NULL, text TEXT NOT NULL, sum INTEGER NOT NULL);
        CREATE TABLE photo (
            gallery TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, slug TEXT NOT NULL, state TEXT NOT NULL,
            code TEXT, reason TEXT, since INTEGER NOT NULL, stale_since INTEGER, stale_code TEXT, stale_reason TEXT,
            sha256 TEXT, attempts INTEGER NOT NULL, source TEXT, recipe INTEGER, back INTEGER, fetched INTEGER,
            sum INTEGER NOT NULL, checked INTEGER NOT NULL, PRIMARY KEY (gallery, number)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX photo_by_key ON photo (gallery, key);
        CREATE TABLE picture (
            gallery TEXT NOT NULL, photo INTEGER NOT NULL, position INTEGER NOT NULL, file_name TEXT NOT NULL,
            width INTEGER NOT NULL, height INTEGER NOT NULL, bytes INTEGER NOT NULL, unfiltered INTEGER NOT NULL,
            colour TEXT, version TEXT, sum INTEGER NOT NULL, PRIMARY KEY (gallery, photo, position)
        ) WITHOUT ROWID;
        CREATE TABLE version (
            gallery TEXT NOT NULL, photo INTEGER NOT NULL, position INTEGER NOT NULL, sha256 TEXT NOT NULL,
            fetched INTEGER, sum INTEGER NOT NULL, PRIMARY KEY (gallery, photo, position)
        ) WITHOUT ROWID;
        CREATE TABLE mark (
            gallery TEXT NOT NULL, photo INTEGER NOT NULL, code TEXT NOT NULL, since INTEGER NOT NULL,
            sentence TEXT NOT NULL, withheld TEXT, sum INTEGER NOT NULL, PRIMARY KEY (gallery, photo, code)
        ) WITHOUT ROWID;
        CREATE TABLE album (
            gallery TEXT NOT NULL, path TEXT NOT NULL, slug TEXT NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (gallery, path)
        ) WITHOUT ROWID;
        CREATE TABLE gallery (
            key TEXT PRIMARY KEY NOT NULL, revision INTEGER NOT NULL, sum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE look (
            gallery TEXT PRIMARY KEY NOT NULL, checked INTEGER NOT NULL, sum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE site (
            output TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL, templates TEXT NOT NULL, updated INTEGER NOT NULL,
            inputs TEXT, revision INTEGER NOT NULL, publication INTEGER NOT NULL, sum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE owned (
            output TEXT NOT NULL, path TEXT NOT NULL, digest TEXT, bytes INTEGER NOT NULL, key TEXT, replaced TEXT,
            publication INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (output, path)
        ) WITHOUT ROWID;
        CREATE TABLE place (
            key TEXT PRIMARY KEY NOT NULL, absolute TEXT NOT NULL, manifests TEXT NOT NULL, output TEXT NOT NULL,
            sum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE location (
            key TEXT PRIMARY KEY NOT NULL, url TEXT NOT NULL, sum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE total (
            name TEXT NOT NULL, scope TEXT NOT NULL, rows INTEGER NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (name, scope)
        ) WITHOUT ROWID;
        """

    /// Creates the tables in an empty file. Any other file is checked, and an older ledger is migrated.
    static func prepare(_ database: Database, path: String, _ paths: StoredPaths) throws {
        guard try isEmpty(database) else {
            try check(database, path: path)
            return try Migration.run(database, paths)
        }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(version)")
        try database.execute(sql: tables)
    }

    /// Checks the header of a file before SQLite opens it, because opening might change a file that belongs to another
    /// program.
    /// - Throws: `LedgerError.unreadable` for a file that is not a ledger. A file with a journal is not judged, because
    ///   its valid header might be in the journal.
    static func checkHeader(ofFileAt path: String) throws(LedgerError) {
        guard let file = fopen(path, "rb") else { return }
        defer { fclose(file) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = fread(&header, 1, header.count, file)
        if count == 0 || access(path + "-wal", F_OK) == 0 || access(path + "-journal", F_OK) == 0 { return }
        // SQLite's file format §1.3: every database begins with this text. The offsets below are from the table there.
        guard count == header.count, header.starts(with: "SQLite format 3\0".utf8) else {
            throw .unreadable(path: path, detail: "it is no database")
        }
        func number(at offset: Int) -> Int64 { header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int64($1) } }
        guard number(at: 68) == applicationID else { throw .unreadable(path: path, detail: Self.foreign) }
        // These header fields are the same in every ledger: read and write version (1 or 2), schema format, no
        // vacuuming, UTF-8, and reserved bytes. SQLite would trust some of them, and damage the file.
        guard (1...2).contains(header[18]), (1...2).contains(header[19]), [0, 4].contains(number(at: 44)),
            number(at: 52) == 0, (0...1).contains(number(at: 56)), number(at: 64) == 0,
            header[72..<92].allSatisfy({ $0 == 0 })
        else { throw .unreadable(path: path, detail: "its header is damaged") }
    }

    private static let foreign = "it is a database of another program"

    /// Whether nothing was ever written into the file, for example because a first build has just begun.
    static func isEmpty(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
    }

    /// The version of the tables in the file.
    static func storedVersion(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// - Throws: `LedgerError.unreadable` for a database that is not a ledger of this version or of an older one that
    ///   can be migrated, `LedgerError.storage` for a ledger of a newer version.
    static func check(_ database: Database, path: String) throws {
        guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            throw LedgerError.unreadable(path: path, detail: foreign)
        }
        let found = try storedVersion(database)
        guard found >= Migration.oldest else {
            throw LedgerError.unreadable(
                path: path, detail: "it has version \(found), this program writes version \(version)")
        }
        if found < version { return }
        if found == version {
            // The columns are compared by name and type, because a damaged schema can still be valid, while records are
            // read by the positions of their columns.
            guard try hasTables(database, only: false) else {
                throw LedgerError.unreadable(path: path, detail: "its tables are not those of version \(version)")
            }
            return
        }
        // A newer version has other tables, and its number is not much higher. Otherwise the number itself is damaged.
        if try found > 1_000 || hasTables(database) {
            throw LedgerError.unreadable(path: path, detail: "version \(found) is not that of its tables")
        }
        throw LedgerError.storage(
            path: path,
            detail: "it was written by a newer gallerygen (version \(found) of the ledger; this one knows \(version)), "
                + "and is left as it is; use that one, or another state folder with --state")
    }

    /// Whether SQLite finds no damage in the file, and the file has the tables of its version. If so, an error in a
    /// statement is a mistake of the statement.
    static func isIntact(_ queue: DatabaseQueue) -> Bool {
        // A file that can't be read throws here, and is not sound either.
        let isIntact = try? queue.read { database in
            guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok" else { return false }
            let found = try storedVersion(database)
            return try found == version ? hasTables(database) : Set(columns(database).keys) == names(inVersion: found)
        }
        return isIntact ?? false
    }

    private static func names(inVersion version: Int64) -> Set<String> {
        var names: Set = ["source", "original", "photo", "album", "site", "owned"]
        if version >= 4 { names.formUnion(["recipe", "gallery"]) }
        if version >= 6 { names.insert("total") }
        if version >= 7 { names.insert("look") }
        if version >= 9 { names.formUnion(["place", "location"]) }
        if version >= 11 { names.insert("picture") }
        if version >= 13 { names.insert("mark") }
        if version >= 14 { names.insert("version") }
        return names
    }

    /// Whether the tables of this version exist with all their columns.
    /// - Parameter only: whether other tables make the result false.
    static func hasTables(_ database: Database, only: Bool = true) throws -> Bool {
        let wanted = try DatabaseQueue()
        let columnsOfThisVersion = try wanted.write { empty in
            try empty.execute(sql: tables)
            return try columns(empty)
        }
        let found = try columns(database)
        return only ? found == columnsOfThisVersion : columnsOfThisVersion.allSatisfy { found[$0] == $1 }
    }

    /// The columns of each table in their order, each with its type, by the name of the table.
    private static func columns(_ database: Database) throws -> [String: [String]] {
        var columns: [String: [String]] = [:]
        let sql = """
            SELECT s.name AS name, c.name || ' ' || c.type AS shape
            FROM sqlite_schema AS s, pragma_table_info(s.name) AS c WHERE s.type = 'table'
            ORDER BY s.name, c.cid
            """
        for row in try Row.fetchAll(database, sql: sql) {
            columns[row["name"], default: []].append(row["shape"])
        }
        return columns
    }
}

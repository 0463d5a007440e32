internal import GRDB

/// The tables of the ledger, and the marks by which a file is known to be one.
enum Schema {
    /// "GGen" in ASCII: SQLite's application id, so that a foreign database is never taken for a ledger.
    static let applicationID: Int64 = 0x4747_656E
    /// Raised with every change of the tables; a ledger of another version is set aside and rebuilt.
    static let version: Int64 = 2

    static let tables = """
        CREATE TABLE source (
            key TEXT PRIMARY KEY NOT NULL, sha256 TEXT, bytes INTEGER NOT NULL,
            etag TEXT, last_modified TEXT, file_stamp TEXT, validated INTEGER, fresh_until INTEGER,
            retry_after INTEGER, retry_status INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE original (sha256 TEXT PRIMARY KEY NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE photo (
            key TEXT PRIMARY KEY NOT NULL, source TEXT, slug TEXT NOT NULL, state TEXT NOT NULL, code TEXT, message TEXT,
            since INTEGER NOT NULL, stale_since INTEGER, stale_code TEXT, stale_message TEXT,
            sha256 TEXT, pictures TEXT NOT NULL, attempts INTEGER NOT NULL, checked INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE album (path TEXT PRIMARY KEY NOT NULL, slug TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE site (
            output TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL, templates TEXT NOT NULL, updated INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE owned (
            output TEXT NOT NULL, path TEXT NOT NULL, digest TEXT, bytes INTEGER NOT NULL,
            PRIMARY KEY (output, path)
        ) WITHOUT ROWID;
        """

    /// Makes the tables in an empty file; checks the marks of any other.
    static func prepare(_ database: Database, path: String) throws {
        let id = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty {
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(Schema.version)")
            try database.execute(sql: tables)
        } else if id != applicationID {
            throw LedgerError.unreadable(path: path, detail: "it is a database of another program")
        } else if version != Schema.version {
            throw LedgerError.unreadable(
                path: path, detail: "it has version \(version), this program writes version \(Schema.version)")
        }
    }
}

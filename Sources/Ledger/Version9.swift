internal import GRDB

/// What version 9 added: where galleries and output folders were when they were last worked on, names of output folders
/// that are relative to the state folder, and where redirects of a manifest's address led.
enum Version9 {
    static let tables = """
        CREATE TABLE place (
            key TEXT PRIMARY KEY NOT NULL, absolute TEXT NOT NULL, manifests TEXT NOT NULL, output TEXT NOT NULL,
            sum INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE TABLE location (
            key TEXT PRIMARY KEY NOT NULL, url TEXT NOT NULL, sum INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        """

    /// Names the output folders that lie around the state folder anew. Galleries get their new keys when they are
    /// opened, as their keys do not tell where they are.
    static func migrate(_ database: Database, _ paths: StoredPaths) throws {
        try database.execute(sql: tables)
        var change = Change(database, Numbering())
        for output in try Rows.outputs(database) {
            let name = paths.name(of: output)
            if name != output { try Recording.rename(output: output, to: name, &change) }
            try Recording.save(PlaceRow(key: name, absolute: output), &change)
        }
        try change.settled()
    }
}

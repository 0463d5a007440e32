internal import GRDB

/// The additions of version 9: the places of galleries and output folders at their last build, names of output folders
/// that are relative to the state folder, and the targets of redirects of a manifest's address.
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

    /// The table of photos that has other columns now: a reason was an English sentence.
    static let photo = Table(
        "photo", scope: "gallery",
        [
            "number", "key", "slug", "state", "code", "message", "since", "stale_since", "stale_code", "stale_message",
            "sha256", "pictures", "attempts", "source", "recipe", "back", "fetched",
        ], uncovered: ["checked"])

    /// Names the output folders that lie around the state folder anew. Galleries get their new keys when they are
    /// opened, as their keys do not tell where they are.
    ///
    /// Until then one output folder could have several names, as where it was also reached by a symbolic link: what was
    /// recorded last under any of them is kept.
    static func migrate(_ database: Database, _ paths: StoredPaths) throws {
        try database.execute(sql: tables)
        var change = LedgerTransaction(database)
        for (name, outputs) in Dictionary(grouping: try LedgerReader.outputs(database), by: paths.name(of:)) {
            let kept = try newest(of: outputs, database)
            for output in outputs where output != kept { try LedgerWriter.forget(output: output, &change) }
            if name != kept { try LedgerWriter.rename(output: kept, to: name, &change) }
            try LedgerWriter.save(PlaceRow(key: name, absolute: kept), &change)
        }
        try change.flushed()
    }

    /// - Parameter outputs: names of one folder, at least one.
    private static func newest(of outputs: [String], _ database: Database) throws -> String {
        let sites = try outputs.sorted().compactMap { try LedgerReader.site(database, output: $0, withFiles: false) }
        return sites.max { $0.updated < $1.updated }?.output ?? outputs[0]
    }
}

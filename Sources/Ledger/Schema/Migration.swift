internal import GRDB
internal import PhotoModel

/// Migrates the tables of an older ledger in the transaction that opens it. The records are kept. Rows of any older
/// version are read by the names of their columns and written again.
enum Migration {
    /// The oldest version that can be migrated.
    static let oldest: Int64 = 3

    static func run(_ database: Database, _ paths: StoredPaths) throws {
        let found = try Schema.storedVersion(database)
        guard found < Schema.version else { return }
        let older = try OlderTables(database, version: found)
        // The rows get new checksums, so their old ones must be verified first.
        try older.check()
        try older.renameTables()
        try database.execute(sql: Schema.tables)
        var change = LedgerTransaction(database)
        try copy(from: older, version: found, &change)
        try change.flushed()
        try older.remove()
        if found < 9 { try renameOutputs(paths, &change) }
        try change.flushed()
        try database.execute(sql: "PRAGMA user_version = \(Schema.version)")
    }

    private static func copy(
        from older: OlderTables, version: Int64, _ change: inout LedgerTransaction
    ) throws {
        var recipes: [Int64: String] = [:]
        try older.forEach("recipe") { row in
            let recipe: RecipeRecord = try older.record(row)
            recipes[recipe.id] = recipe.text
        }
        try older.forEach("source") { row in
            // A stamp that can't be read proves nothing, so the file is read again.
            if let stamp = try OlderTexts.stamp(Row(row).decode(forColumn: "file_stamp")) {
                row["file_size"] = stamp.size
                row["file_modified"] = stamp.modifiedNanoseconds
                row["file_changed"] = stamp.changedNanoseconds
                row["file_inode"] = Int64(bitPattern: stamp.inode)
            }
            // Versions before 15 did not record where validators come from.
            let etag: String? = try Row(row).decode(forColumn: "etag")
            let lastModified: String? = try Row(row).decode(forColumn: "last_modified")
            if version < 15, etag != nil || lastModified != nil { row["responder"] = "*" }
            try change.save(older.record(row) as SourceRecord)
        }
        try older.forEach("original") { row in
            guard row["facts"] != nil else { return try change.save(older.record(row) as OriginalRow) }
            // Facts that can't be read are taken from the original again.
            if let facts = try OlderTexts.facts(Row(row).decode(forColumn: "facts")) {
                try change.save(facts.row(of: Row(row).decode(forColumn: "sha256")))
            }
        }
        try older.forEach("photo") { row in
            // Photos have numbers since version 8.
            row["number"] = row["number"] ?? 0
            for prefix in ["", "stale_"] where row[prefix + "message"] != nil {
                let (code, message) = (prefix + "code", prefix + "message")
                row[prefix + "reason"] = try OlderTexts.reason(
                    Row(row).decode(forColumn: code), Row(row).decode(forColumn: message))
            }
            let record: PhotoTableRecord = try older.record(row)
            var photo = record.photo
            photo.recipe = record.recipe.flatMap { recipes[$0] }
            photo.pictures =
                if row["pictures"] != nil {
                    try OlderTexts.pictures(Row(row).decode(forColumn: "pictures"))
                } else {
                    try older.pictures(ofPhoto: record.number, gallery: record.scope)
                }
            photo.marks = try older.marks(ofPhoto: record.number, gallery: record.scope)
            photo.versions = try older.versions(ofPhoto: record.number, gallery: record.scope)
            try LedgerWriter.save(Shared(photo), gallery: record.scope, &change)
        }
        try older.forEach("site") { row in
            // Version 3 had no revisions.
            if row["revision"] == nil { row["revision"] = 0 }
            // Versions before 16 did not count publications.
            if row["publication"] == nil { row["publication"] = 0 }
            try change.save(older.record(row) as SiteRow)
        }
        try older.forEach("album") { try change.save(older.record($0) as AlbumRecord) }
        try older.forEach("gallery") { try change.save(older.record($0) as RevisionRecord) }
        try older.forEach("look") { try change.save(older.record($0) as CheckTimeRecord) }
        try older.forEach("owned") { row in
            if row["publication"] == nil { try assignPublication(to: &row) }
            try change.save(older.record(row) as OwnedRecord)
        }
        try older.forEach("place") { try change.save(older.record($0) as PlaceRow) }
        try older.forEach("location") { try change.save(older.record($0) as LocationRecord) }
    }

    /// Versions before 16 had no numbers of publications. If a path was claimed, they recorded only the digest of the
    /// file that was replaced, as the key.
    private static func assignPublication(to row: inout [String: (any DatabaseValueConvertible)?]) throws {
        row["publication"] = 0
        // Version 3 had no keys.
        guard row["key"] != nil else { return }
        let digest: String? = try Row(row).decode(forColumn: "digest")
        let key: String? = try Row(row).decode(forColumn: "key")
        guard digest == nil, let key else { return }
        row["replaced"] = key
        row["key"] = DatabaseValue.null
        row["publication"] = 1
    }

    /// Renames the output folders in the parent of the state folder or below it: their names become relative to the
    /// state folder. Galleries get their new keys when they are opened, because their places can't be derived from
    /// their keys.
    ///
    /// Before version 9, one output folder could have several names, for example if it was also reached through a
    /// symbolic link. The row of the latest change is kept.
    private static func renameOutputs(_ paths: StoredPaths, _ change: inout LedgerTransaction) throws {
        let outputs = try LedgerReader.outputs(change.flushed()).map(\.text)
        for (name, outputs) in Dictionary(grouping: outputs, by: { ExactText(paths.storedPath(of: $0)) }) {
            let name = name.text
            let kept = try newest(of: outputs, change.flushed())
            for output in outputs where output != kept { try LedgerWriter.forget(output: output, &change) }
            if name != kept { try LedgerWriter.rename(output: kept, to: name, &change) }
            try change.save(PlaceRow(name: name, absolute: kept))
        }
    }

    /// - Parameter outputs: the names of one folder, at least one.
    private static func newest(of outputs: [String], _ database: Database) throws -> String {
        let sites = try outputs.sorted().compactMap { try LedgerReader.site(database, output: $0, withFiles: false) }
        return sites.max { $0.updated < $1.updated }?.output ?? outputs[0]
    }
}

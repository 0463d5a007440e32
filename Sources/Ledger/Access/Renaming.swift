internal import GRDB

/// Rows that change whose they are: their values stay, and so do their sums.
extension LedgerWriter {
    /// - Parameter name: of an output folder that is not recorded.
    static func rename(output: String, to name: String, _ change: inout LedgerTransaction) throws {
        let database = try change.flushed()
        guard let site = try LedgerReader.site(database, output: output, withFiles: false) else { return }
        try change.remove(.site, key: .string(output))
        try change.remove(.place, key: .string(output))
        try saveAlone(site.renamed(name), &change)
        try change.execute("UPDATE owned SET output = ? WHERE output = ?", [.string(name), .string(output)])
        try rescope([.owned], from: output, to: name, &change)
    }

    /// - Parameter key: of a gallery that is not recorded.
    static func rename(gallery: String, to key: String, _ change: inout LedgerTransaction) throws {
        let database = try change.flushed()
        let revision = try LedgerReader.revision(database, gallery: gallery)
        let look = try LedgerReader.look(database, gallery: gallery)
        try change.remove(.place, key: .string(gallery))
        try change.remove(.gallery, key: .string(gallery))
        try change.remove(.look, key: .string(gallery))
        if revision != 0 { try change.put(.gallery, [.string(key), .integer(revision)]) }
        if look != 0 { try change.put(.look, [.string(key), .integer(look)]) }
        for table in ["photo", "album"] {
            try change.execute("UPDATE \(table) SET gallery = ? WHERE gallery = ?", [.string(key), .string(gallery)])
        }
        try rescope([.photo, .album], from: gallery, to: key, &change)
    }

    /// Forgets a gallery: its photos and albums, and where it was.
    static func forget(gallery: String, _ change: inout LedgerTransaction) throws {
        try change.remove(.place, key: .string(gallery))
        try change.remove(.gallery, key: .string(gallery))
        try change.remove(.look, key: .string(gallery))
        try change.flushed()
        for table in [Table.photo, .album] {
            try change.execute("DELETE FROM \(table.name) WHERE gallery = ?", [.string(gallery)])
            try change.execute(TableChecksum.remove, [.string(table.name), .string(gallery)])
        }
    }

    /// Totals go with their rows.
    private static func rescope(
        _ tables: [Table], from old: String, to new: String, _ change: inout LedgerTransaction
    ) throws {
        try change.flushed()
        for table in tables {
            try change.execute(
                "UPDATE OR REPLACE total SET scope = ? WHERE name = ? AND scope = ?",
                [.string(new), .string(table.name), .string(old)])
        }
    }
}

extension LedgerReader {
    /// The names of all output folders that are recorded.
    static func outputs(_ database: Database) throws -> [String] {
        var outputs: [String] = []
        try SQLiteRow.forEach(.site, database) { outputs.append(try $0.text(0)) }
        return outputs
    }

    /// Whether anything is recorded of a gallery.
    static func knows(gallery: String, _ database: Database) throws -> Bool {
        for table in [Table.photo, .album] where try TableChecksum.recorded(table, gallery, database) != TableChecksum()
        { return true }
        return try revision(database, gallery: gallery) != 0
    }
}

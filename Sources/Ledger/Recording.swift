internal import GRDB
internal import PhotoModel

/// The statements that write the ledger. Each looks its rows up by their whole key.
enum Recording {
    static func save(_ source: SourceRow, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO source (key, sha256, bytes, etag, last_modified, file_stamp, validated, fresh_until,
                    retry_after, retry_status, fetched) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                source.key, source.sha256?.hex, source.bytes, source.etag, source.lastModified, source.fileStamp,
                source.validated, source.freshUntil, source.retryAfter, source.retryStatus,
                source.fetched,
            ])
    }

    static func save(_ original: OriginalRow, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO original (sha256, facts) VALUES (?, ?)").execute(
            arguments: [original.sha256.hex, original.facts])
    }

    static func save(_ photo: PhotoRow, gallery: String, _ database: Database) throws {
        if let recipe = photo.recipe {
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO recipe (text) VALUES (?)").execute(
                arguments: [recipe])
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO photo (gallery, key, source, slug, state, code, message, since, stale_since,
                    stale_code, stale_message, sha256, pictures, attempts, checked, back, fetched, recipe)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM recipe WHERE text = ?))
                """
        ).execute(
            arguments: [
                gallery, photo.key, photo.source, photo.slug, photo.state.rawValue, photo.reason?.code.rawValue,
                photo.reason?.message, photo.since, photo.stale?.since, photo.stale?.reason.code.rawValue,
                photo.stale?.reason.message, photo.sha256?.hex, photo.pictureList.text, photo.attempts, photo.checked,
                photo.back, photo.fetched, photo.recipe,
            ])
    }

    /// A photo's row has come to look different: pages that were made before may be out of date.
    static func raiseRevision(gallery: String, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO gallery (key, revision) VALUES (?, 1)
                    ON CONFLICT (key) DO UPDATE SET revision = revision + 1
                """
        ).execute(arguments: [gallery])
    }

    /// Writes what differs, and removes the rows of photos that are not in the list.
    /// - Returns: whether any photo looks different now.
    static func replacePhotos(
        _ photos: [PhotoRow], replacing known: [String: PhotoRow], gallery: String, _ database: Database
    ) throws -> Bool {
        var differs = false
        var found = 0
        let check = try database.cachedStatement(sql: "UPDATE photo SET checked = ? WHERE gallery = ? AND key = ?")
        for photo in photos {
            guard let old = known[photo.key] else {
                try save(photo, gallery: gallery, database)
                differs = true
                continue
            }
            found += 1
            if old == photo { continue }
            if photo.differsOnlyInTime(from: old) {
                try check.execute(arguments: [photo.checked, gallery, photo.key])
            } else {
                try save(photo, gallery: gallery, database)
                differs = differs || !photo.looksLike(old)
            }
        }
        guard found < known.count else { return differs }
        let statement = try database.cachedStatement(sql: "DELETE FROM photo WHERE gallery = ? AND key = ?")
        for key in Set(known.keys).subtracting(photos.lazy.map(\.key)) {
            try statement.execute(arguments: [gallery, key])
        }
        return true
    }

    static func replaceAlbums(_ albums: [String: String], gallery: String, _ database: Database) throws {
        guard try Rows.albums(database, gallery: gallery) != albums else { return }
        try database.execute(sql: "DELETE FROM album WHERE gallery = ?", arguments: [gallery])
        let statement = try database.cachedStatement(sql: "INSERT INTO album (gallery, path, slug) VALUES (?, ?, ?)")
        for (path, slug) in albums { try statement.execute(arguments: [gallery, path, slug]) }
    }

    /// Of the files only what differs from what is recorded is written.
    static func save(_ site: SiteRow, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO site (output, content, templates, updated, inputs, revision)
                    VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                site.output, site.content.hex, site.templates.hex, site.updated, site.inputs, site.revision,
            ])
        // Compared row by row: the list of a large site is not read into memory a second time.
        var (differing, gone) = ([String](), [String]())
        var found = 0
        try Rows.forEachOwnedRow(database, output: site.output) { path, file in
            guard let wanted = site.owned[path] else { return gone.append(path) }
            found += 1
            if wanted != file { differing.append(path) }
        }
        let delete = try database.cachedStatement(sql: "DELETE FROM owned WHERE output = ? AND path = ?")
        for path in gone { try delete.execute(arguments: [site.output, path]) }
        for path in differing {
            if let file = site.owned[path] { try save(file, at: path, output: site.output, database) }
        }
        guard found < site.owned.count else { return }
        // Seldom: nearly all files are claimed before they are recorded.
        let known = try Rows.owned(database, output: site.output)
        for (path, file) in site.owned where known[path] == nil {
            try save(file, at: path, output: site.output, database)
        }
    }

    /// What the pages were made from, where they themselves are as they were.
    static func mark(
        _ output: String, inputs: String, revision: Int64, _ database: Database
    ) throws {
        try database.cachedStatement(sql: "UPDATE site SET inputs = ?, revision = ? WHERE output = ?").execute(
            arguments: [inputs, revision, output])
    }

    static func claim(_ files: [String: OwnedRow], output: String, _ database: Database) throws {
        // What stands there is from now on no longer what was recorded, until it is recorded anew.
        let nothing = Digest(of: "")
        try database.cachedStatement(
            sql: """
                INSERT INTO site (output, content, templates, updated) VALUES (?1, ?2, ?2, 0)
                    ON CONFLICT (output) DO UPDATE SET content = excluded.content, inputs = NULL
                """
        ).execute(arguments: [output, nothing.hex])
        for (path, file) in files { try save(file, at: path, output: output, database) }
    }

    static func forget(output: String, _ database: Database) throws {
        for table in ["site", "owned"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE output = ?", arguments: [output])
        }
    }

    private static func save(_ file: OwnedRow, at path: String, output: String, _ database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO owned (output, path, digest, bytes, key) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [output, path, file.digest?.hex, file.bytes, file.key?.hex])
    }
}

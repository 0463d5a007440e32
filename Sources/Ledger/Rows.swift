internal import Foundation
internal import GRDB
internal import PhotoModel

/// The statements of the ledger: rows in, rows out.
enum Rows {
    static func sources(_ database: Database) throws -> [String: SourceRow] {
        var rows: [String: SourceRow] = [:]
        let cursor = try Row.fetchCursor(
            database,
            sql: """
                SELECT key, sha256, bytes, etag, last_modified, file_stamp, validated, fresh_until, retry_after,
                    retry_status FROM source
                """)
        while let row = try cursor.next() {
            let key: String = try row.value(0)
            let sha256: String? = try row.optional(1)
            var source = SourceRow(
                key: key, sha256: try sha256.map { try digest($0) }, bytes: try row.value(2),
                etag: try row.optional(3), lastModified: try row.optional(4), fileStamp: try row.optional(5),
                validated: try row.optional(6), freshUntil: try row.optional(7))
            source.retryAfter = try row.optional(8)
            source.retryStatus = try row.optional(9)
            rows[key] = source
        }
        return rows
    }

    static func originals(_ database: Database) throws -> [Digest: String] {
        var rows: [Digest: String] = [:]
        let cursor = try Row.fetchCursor(database, sql: "SELECT sha256, facts FROM original")
        while let row = try cursor.next() {
            rows[try digest(row.value(0))] = try row.value(1)
        }
        return rows
    }

    static func photos(_ database: Database, gallery: String) throws -> [String: PhotoRow] {
        var rows: [String: PhotoRow] = [:]
        let decoder = JSONDecoder()
        let cursor = try Row.fetchCursor(
            database,
            sql: """
                SELECT key, slug, state, code, message, since, stale_since, stale_code, stale_message, sha256,
                    pictures, attempts, checked, source FROM photo WHERE gallery = ?
                """, arguments: [gallery])
        while let row = try cursor.next() {
            let key: String = try row.value(0)
            guard let state = PhotoState(rawValue: try row.value(2)) else { throw Row.damaged("state") }
            let staleSince: Int64? = try row.optional(6)
            let staleReason = try reason(row.optional(7), row.optional(8))
            let sha256: String? = try row.optional(9)
            let pictures: String = try row.value(10)
            rows[key] = PhotoRow(
                key: key, source: try row.optional(13), slug: try row.value(1), state: state,
                reason: try reason(row.optional(3), row.optional(4)),
                since: try row.value(5),
                stale: staleSince.flatMap { since in staleReason.map { StaleMark(since: since, reason: $0) } },
                sha256: try sha256.map { try digest($0) },
                pictures: try decoder.decode([PublishedPicture].self, from: Data(pictures.utf8)),
                attempts: try row.value(11), checked: try row.value(12))
        }
        return rows
    }

    static func albums(_ database: Database, gallery: String) throws -> [String: String] {
        var rows: [String: String] = [:]
        let cursor = try Row.fetchCursor(
            database, sql: "SELECT path, slug FROM album WHERE gallery = ?", arguments: [gallery])
        while let row = try cursor.next() { rows[try row.value(0)] = try row.value(1) as String }
        return rows
    }

    static func site(_ database: Database, output: String) throws -> SiteRow? {
        guard
            let row = try Row.fetchOne(
                database, sql: "SELECT content, templates, updated FROM site WHERE output = ?", arguments: [output])
        else { return nil }
        var owned: [String: OwnedRow] = [:]
        let cursor = try Row.fetchCursor(
            database, sql: "SELECT path, digest, bytes FROM owned WHERE output = ?", arguments: [output])
        while let file = try cursor.next() {
            let text: String? = try file.optional(1)
            owned[try file.value(0)] = OwnedRow(digest: try text.map { try digest($0) }, bytes: try file.value(2))
        }
        return SiteRow(
            output: output, content: try digest(row.value(0)), templates: try digest(row.value(1)),
            updated: try row.value(2), owned: owned)
    }

    static func save(_ source: SourceRow, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .execute(
                arguments: [
                    source.key, source.sha256?.hex, source.bytes, source.etag, source.lastModified, source.fileStamp,
                    source.validated, source.freshUntil, source.retryAfter, source.retryStatus,
                ])
    }

    static func save(_ original: OriginalRow, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO original VALUES (?, ?)").execute(
            arguments: [original.sha256.hex, original.facts])
    }

    static func save(_ photo: PhotoRow, gallery: String, _ database: Database) throws {
        let pictures = try JSONEncoder().encode(photo.pictures)
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO photo VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                gallery, photo.key, photo.source, photo.slug, photo.state.rawValue, photo.reason?.code.rawValue,
                photo.reason?.message,
                photo.since, photo.stale?.since, photo.stale?.reason.code.rawValue, photo.stale?.reason.message,
                photo.sha256?.hex, String(decoding: pictures, as: UTF8.self), photo.attempts, photo.checked,
            ])
    }

    /// Writes what differs, and removes the rows of photos that are not in the list.
    static func replacePhotos(
        _ photos: [PhotoRow], replacing known: [String: PhotoRow], gallery: String, _ database: Database
    ) throws {
        var gone = Set(known.keys)
        let check = try database.cachedStatement(sql: "UPDATE photo SET checked = ? WHERE gallery = ? AND key = ?")
        for photo in photos {
            gone.remove(photo.key)
            guard let old = known[photo.key], old != photo else {
                if known[photo.key] == nil { try save(photo, gallery: gallery, database) }
                continue
            }
            if photo.differsOnlyInTime(from: old) {
                try check.execute(arguments: [photo.checked, gallery, photo.key])
            } else {
                try save(photo, gallery: gallery, database)
            }
        }
        let statement = try database.cachedStatement(sql: "DELETE FROM photo WHERE gallery = ? AND key = ?")
        for key in gone { try statement.execute(arguments: [gallery, key]) }
    }

    static func replaceAlbums(_ albums: [String: String], gallery: String, _ database: Database) throws {
        guard try Rows.albums(database, gallery: gallery) != albums else { return }
        try database.execute(sql: "DELETE FROM album WHERE gallery = ?", arguments: [gallery])
        let statement = try database.cachedStatement(sql: "INSERT INTO album VALUES (?, ?, ?)")
        for (path, slug) in albums { try statement.execute(arguments: [gallery, path, slug]) }
    }

    static func save(_ site: SiteRow, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO site VALUES (?, ?, ?, ?)").execute(
            arguments: [site.output, site.content.hex, site.templates.hex, site.updated])
        let insert = try database.cachedStatement(sql: "INSERT OR REPLACE INTO owned VALUES (?, ?, ?, ?)")
        let standing = try Rows.site(database, output: site.output)?.owned ?? [:]
        for (path, file) in site.owned where standing[path] != file {
            try insert.execute(arguments: [site.output, path, file.digest?.hex, file.bytes])
        }
        let delete = try database.cachedStatement(sql: "DELETE FROM owned WHERE output = ? AND path = ?")
        for path in standing.keys where site.owned[path] == nil {
            try delete.execute(arguments: [site.output, path])
        }
    }

    static func claim(_ files: [String: OwnedRow], output: String, _ database: Database) throws {
        // What stands there is from now on no longer what was recorded, until it is recorded anew.
        let nothing = Digest(of: "")
        try database.cachedStatement(
            sql: """
                INSERT INTO site VALUES (?1, ?2, ?2, 0)
                    ON CONFLICT (output) DO UPDATE SET content = excluded.content
                """
        ).execute(arguments: [output, nothing.hex])
        let insert = try database.cachedStatement(sql: "INSERT OR REPLACE INTO owned VALUES (?, ?, ?, ?)")
        for (path, file) in files { try insert.execute(arguments: [output, path, file.digest?.hex, file.bytes]) }
    }

    static func forget(output: String, _ database: Database) throws {
        for table in ["site", "owned"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE output = ?", arguments: [output])
        }
    }

    private static func digest(_ hex: String) throws -> Digest {
        guard let digest = Digest(hex: hex) else { throw Row.damaged("digest") }
        return digest
    }

    private static func reason(_ code: String?, _ message: String?) throws -> Reason? {
        guard let code, let message else { return nil }
        guard let known = ReasonCode(rawValue: code) else { throw Row.damaged("reason code") }
        return Reason(code: known, message: message)
    }
}

extension Row {
    /// The value of a column that is never NULL. GRDB's own subscript traps on a value of another type, which only a
    /// damaged file holds; here it is an error.
    fileprivate func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
        guard let value: Value = try optional(index) else { throw Row.damaged("NULL") }
        return value
    }

    fileprivate func optional<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value? {
        let stored: DatabaseValue = self[index]
        if stored.isNull { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw Row.damaged("value of another type") }
        return value
    }

    fileprivate static func damaged(_ what: String) -> any Error {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row holds a \(what) that does not belong there")
    }
}

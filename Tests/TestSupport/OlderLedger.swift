/// Statements that make a ledger of an older version of one that was just written.
package enum OlderLedger {
    /// Makes a ledger of version 10 of one of version 11, but for the sums of addresses, originals and photos.
    package static let withTexts = """
        CREATE TABLE source_10 (
            number INTEGER PRIMARY KEY NOT NULL, key TEXT NOT NULL, sha256 TEXT, bytes INTEGER NOT NULL, etag TEXT,
            last_modified TEXT, file_stamp TEXT, validated INTEGER, fresh_until INTEGER, retry_after INTEGER,
            retry_status INTEGER, fetched INTEGER, sum INTEGER NOT NULL, caching TEXT, refusal TEXT);
        INSERT INTO source_10 SELECT rowid, key, sha256, bytes, etag, last_modified,
            CASE WHEN file_size IS NOT NULL
                THEN printf('%d %d %d %d', file_size, file_modified, file_changed, file_inode) END,
            validated, fresh_until, retry_after, retry_status, fetched, 0, caching, refusal FROM source;
        DROP TABLE source;
        ALTER TABLE source_10 RENAME TO source;
        CREATE TABLE original_10 (
            number INTEGER PRIMARY KEY NOT NULL, sha256 TEXT NOT NULL, facts TEXT NOT NULL, sum INTEGER NOT NULL);
        INSERT INTO original_10 SELECT rowid, sha256, json_patch('{}', json_object(
            'edition', edition, 'format', format, 'width', width, 'height', height,
            'hasTransparency', json(CASE has_transparency WHEN 1 THEN 'true' ELSE 'false' END),
            'taken', taken, 'camera', camera, 'lens', lens, 'exposure', exposure)), 0 FROM original;
        DROP TABLE original;
        ALTER TABLE original_10 RENAME TO original;
        CREATE TABLE photo_10 (
            gallery TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, slug TEXT NOT NULL, state TEXT NOT NULL,
            code TEXT, reason TEXT, since INTEGER NOT NULL, stale_since INTEGER, stale_code TEXT, stale_reason TEXT,
            sha256 TEXT, pictures TEXT NOT NULL, attempts INTEGER NOT NULL, source TEXT, recipe INTEGER,
            back INTEGER, fetched INTEGER, sum INTEGER NOT NULL, checked INTEGER NOT NULL,
            PRIMARY KEY (gallery, number)) WITHOUT ROWID;
        INSERT INTO photo_10 SELECT gallery, number, key, slug, state, code, reason, since, stale_since, stale_code,
            stale_reason, sha256, coalesce((SELECT group_concat(line, char(10)) FROM (
                SELECT file_name || ' ' || width || ' ' || height || ' ' || bytes || ' '
                    || CASE unfiltered WHEN 1 THEN 'u' ELSE 'f' END || coalesce(' ' || colour, '') AS line
                FROM picture WHERE picture.gallery = photo.gallery AND picture.photo = photo.number
                ORDER BY position)), ''),
            attempts, source, recipe, back, fetched, 0, checked FROM photo;
        DROP TABLE photo;
        ALTER TABLE photo_10 RENAME TO photo;
        DROP TABLE picture;
        DELETE FROM total WHERE name = 'picture';
        CREATE UNIQUE INDEX source_by_key ON source (key);
        CREATE UNIQUE INDEX original_by_sha256 ON original (sha256);
        CREATE UNIQUE INDEX photo_by_key ON photo (gallery, key);
        PRAGMA user_version = 10;
        """

    /// Makes a ledger of version 9 of one of version 11 in which no photo has a reason, but for sums as above.
    package static let withSentences =
        withTexts + """
            DROP INDEX IF EXISTS source_by_key;
            DROP INDEX IF EXISTS original_by_sha256;
            DROP INDEX IF EXISTS photo_by_key;
            ALTER TABLE photo RENAME COLUMN reason TO message;
            ALTER TABLE photo RENAME COLUMN stale_reason TO stale_message;
            PRAGMA user_version = 9;
            """

    /// Makes a ledger of version 8 of one of version 11, but for the columns of addresses, for the names of
    /// galleries and output folders, and for reasons.
    package static let withoutPlaces =
        withSentences
        + ["location", "place"].map { "DROP TABLE \($0); DELETE FROM total WHERE name = '\($0)';" }.joined()
        + "PRAGMA user_version = 8;"

    /// Makes a ledger of version 7 of one of version 11, but for the sums of rows that are numbered now, and for the
    /// names of galleries and output folders.
    package static let withoutNumbers =
        withoutPlaces
        + [
            "source": "key, sha256, bytes, etag, last_modified, file_stamp, validated, fresh_until, retry_after, "
                + "retry_status, fetched, sum",
            "original": "sha256, facts, sum",
            "photo": "gallery, key, source, slug, state, code, message, since, stale_since, stale_code, stale_message, "
                + "sha256, pictures, attempts, checked, recipe, back, fetched, sum",
        ].map { table, columns in
            """
            CREATE TABLE keyed AS SELECT \(columns) FROM \(table);
            DROP TABLE \(table);
            ALTER TABLE keyed RENAME TO \(table);
            """
        }.joined() + "PRAGMA user_version = 7;"

    /// Makes a ledger of version 5 of one of version 6 or 7.
    package static let withoutSums =
        ["source", "original", "recipe", "photo", "album", "gallery", "site", "owned"].map {
            "ALTER TABLE \($0) DROP COLUMN sum;"
        }.joined() + "DROP TABLE IF EXISTS look; DROP TABLE total; PRAGMA user_version = 5;"

    /// Makes a ledger of version 6 of one of version 7.
    package static let withoutLook = "DROP TABLE look; DELETE FROM total WHERE name = 'look'; PRAGMA user_version = 6;"
}

internal import Foundation

/// Statements that turn a ledger of the current version into one of an older version.
package enum OlderLedger {
    /// Turns a ledger of the current version into version 10, except for the checksums of addresses, originals and
    /// photos.
    package static let withTexts: String = {
        // The tests of the commands read the same file.
        let file = URL(filePath: #filePath).appending(path: "../../Harness/disk/version-10.sql").standardized
        guard let statements = FileManager.default.contents(atPath: file.path) else {
            preconditionFailure("\(file.path) can't be read")
        }
        return String(decoding: statements, as: UTF8.self)
    }()

    /// Turns a ledger of the current version without reasons into version 9, except for the same checksums.
    package static let withSentences =
        withTexts + """
            DROP INDEX IF EXISTS source_by_key;
            DROP INDEX IF EXISTS original_by_sha256;
            DROP INDEX IF EXISTS photo_by_key;
            ALTER TABLE photo RENAME COLUMN reason TO message;
            ALTER TABLE photo RENAME COLUMN stale_reason TO stale_message;
            PRAGMA user_version = 9;
            """

    /// Turns a ledger of the current version into version 8, except for the columns of addresses, the names of
    /// galleries and output folders, and reasons.
    package static let withoutPlaces =
        withSentences
        + ["location", "place"].map { "DROP TABLE \($0); DELETE FROM total WHERE name = '\($0)';" }.joined()
        + "PRAGMA user_version = 8;"

    /// Turns a ledger of the current version into version 7, except for the checksums of rows that are numbered
    /// now, and the names of galleries and output folders.
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

    /// Turns a ledger of version 6 or 7 into version 5.
    package static let withoutSums =
        ["source", "original", "recipe", "photo", "album", "gallery", "site", "owned"].map {
            "ALTER TABLE \($0) DROP COLUMN sum;"
        }.joined() + "DROP TABLE IF EXISTS look; DROP TABLE total; PRAGMA user_version = 5;"

    /// Turns a ledger of version 7 into version 6.
    package static let withoutLook = "DROP TABLE look; DELETE FROM total WHERE name = 'look'; PRAGMA user_version = 6;"
}

internal import Foundation

/// Statements that make a ledger of an older version of one that was just written.
package enum OlderLedger {
    /// Makes a ledger of version 10 of one of version 11, but for the sums of addresses, originals and photos.
    package static let withTexts: String = {
        // The tests of the commands read it too.
        let file = URL(filePath: #filePath).appending(path: "../../Harness/version-10.sql").standardized
        guard let statements = FileManager.default.contents(atPath: file.path) else {
            preconditionFailure("\(file.path) can't be read")
        }
        return String(decoding: statements, as: UTF8.self)
    }()

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

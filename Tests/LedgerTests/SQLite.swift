import GRDB

/// Changes a database behind the ledger's back.
enum SQLite {
    static func execute(_ statement: String, at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: statement) }
    }

    /// Makes a ledger of version 5 of one of a later version.
    static let withoutSums =
        ["source", "original", "recipe", "photo", "album", "gallery", "site", "owned"].map {
            "ALTER TABLE \($0) DROP COLUMN sum;"
        }.joined() + "DROP TABLE look; DROP TABLE total; PRAGMA user_version = 5;"

    /// Makes a ledger of version 6 of one of version 7.
    static let withoutLook = "DROP TABLE look; DELETE FROM total WHERE name = 'look'; PRAGMA user_version = 6;"
}

internal import Foundation
internal import GRDB
internal import PhotoModel

/// Brings the tables of an older ledger up to date, in the transaction that opens it: what was learnt is kept.
enum Migration {
    /// The oldest version that can be brought up to date.
    static let oldest: Int64 = 3

    static func run(_ database: Database, _ paths: StoredPaths) throws {
        let found = try Schema.found(database)
        guard found < Schema.version else { return }
        if found < 4 { try fromVersion3(database) }
        if found < 5 { try fromVersion4(database) }
        if found < 6 { try fromVersion5(database) }
        if found < 7 { try fromVersion6(database) }
        if found < 8 { try fromVersion7(database) }
        if found < 9 {
            try fromVersion8(database)
            try Version9.migrate(database, paths)
        }
        try fromVersion9(database)
        try database.execute(sql: "PRAGMA user_version = \(Schema.version)")
    }

    /// A reason was an English sentence.
    private static func fromVersion9(_ database: Database) throws {
        // The sums of all rows are computed anew below, so damage has to be found before.
        for scope in try scopes(of: Version9.photo, database) {
            try SQLiteRow.forEach(Version9.photo, in: scope, database) { _ in }
        }
        try database.execute(sql: Schema.changesOfVersion10)
        for (code, reason) in [("code", "reason"), ("stale_code", "stale_reason")] {
            var texts: [(code: String, sentence: String)] = []
            try database.run("SELECT DISTINCT \(code), \(reason) FROM photo WHERE \(code) IS NOT NULL") { row in
                if let sentence = try row.optionalText(1) { texts.append((try row.text(0), sentence)) }
            }
            let update = try database.cachedStatement(
                sql: "UPDATE photo SET \(reason) = ? WHERE \(code) = ? AND \(reason) = ?")
            for text in texts {
                // A code of a newer program stays, and its photo is done again.
                guard let known = ReasonCode(rawValue: text.code) else { continue }
                let column = try ReasonColumn.text(Reason(code: known, message: text.sentence))
                try update.execute(arguments: [column, text.code, text.sentence])
            }
        }
        try sum([.photo], database)
    }

    /// Of an address it was not known how long what it gave was said to be fresh, nor why it was not taken.
    private static func fromVersion8(_ database: Database) throws {
        // Rows get new sums: so they have to be as they were written.
        try SQLiteRow.forEach(Version8.source, database) { _ in }
        try database.execute(sql: Schema.columnsOfVersion9)
        try sum([.source], database)
    }

    /// Sources, originals and photos stood in the order of their digests.
    private static func fromVersion7(_ database: Database) throws {
        for (table, _) in Version7.successors {
            try database.execute(
                sql: """
                    ALTER TABLE \(table.name) RENAME TO \(before(table.name));
                    UPDATE total SET name = '\(before(table.name))' WHERE name = '\(table.name)';
                    """)
        }
        try database.execute(sql: Schema.tablesOfVersion8)
        var change = LedgerTransaction(database)
        for (table, successor) in Version7.successors {
            let old = Table(before(table.name), scope: table.scope, table.columns, uncovered: table.uncovered)
            for scope in try scopes(of: old, database) {
                var number: Int64 = 0
                try SQLiteRow.forEach(old, in: scope, database) { row in
                    number += 1
                    let values = try row.values
                    try change.put(
                        successor, in: scope, [.integer(number)] + values.prefix(old.columns.count),
                        // After the sum.
                        uncovered: Array(values.dropFirst(old.columns.count + 1)))
                }
            }
            try database.execute(
                sql: "DROP TABLE \(old.name); DELETE FROM total WHERE name = '\(old.name)'")
        }
        try change.flushed()
    }

    private static func before(_ name: String) -> String { "\(name)_before" }

    /// All of a table's scopes, be it only by its rows or only by its totals; nil for a table that all share.
    private static func scopes(of table: Table, _ database: Database) throws -> [String?] {
        guard let column = table.scope else { return [nil] }
        var scopes = Set(try TableChecksum.scopes(of: table, database))
        try database.run("SELECT DISTINCT \(column) FROM \(table.name)") { scopes.insert(try $0.text(0)) }
        return scopes.sorted()
    }

    /// When photos were looked at stood with each of them.
    private static func fromVersion6(_ database: Database) throws {
        try database.execute(sql: Schema.tablesOfVersion7)
    }

    /// Rows had no sums, and recipes were numbered as they came.
    private static func fromVersion5(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE recipe RENAME TO numbered")
        try database.execute(sql: Schema.tablesOfVersion6)
        var recipes: [(id: Int64, text: String)] = []
        try database.run("SELECT id, text FROM numbered") { recipes.append((try $0.number(0), try $0.text(1))) }
        for (_, text) in recipes {
            try database.execute(
                sql: "INSERT INTO recipe (id, text) VALUES (?, ?)",
                arguments: [LedgerWriter.number(ofRecipe: text), text])
        }
        try database.execute(
            sql: """
                UPDATE photo SET recipe = (SELECT recipe.id FROM recipe, numbered
                    WHERE numbered.id = photo.recipe AND recipe.text = numbered.text);
                DROP TABLE numbered;
                """)
        let tables = Version7.successors.map(\.0) + [.recipe, .album, .gallery, .site, .owned]
        for table in tables where table.name != Table.recipe.name {
            try database.execute(sql: "ALTER TABLE \(table.name) ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
        }
        try sum(tables, database)
    }

    /// Gives all rows of tables their sums, and the tables their totals.
    private static func sum(_ tables: [Table], _ database: Database) throws {
        database.add(
            function: DatabaseFunction("row_sum", pure: true) { RowChecksum(of: $0.map { SQLiteValue($0) }).value })
        for table in tables {
            try database.execute(
                sql: "UPDATE \(table.name) SET sum = row_sum(\(table.columns.joined(separator: ", ")))")
            var totals: [String: TableChecksum] = [:]
            try database.run("SELECT \(table.scope ?? "''"), sum FROM \(table.name)") { row in
                totals[try row.text(0), default: TableChecksum()].add(try row.number(1))
            }
            for (scope, total) in totals { try total.record(table, scope, database) }
        }
    }

    /// Nobody knew when a photo came, and when it was back.
    private static func fromVersion4(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE source ADD COLUMN fetched INTEGER;
                ALTER TABLE photo ADD COLUMN back INTEGER;
                ALTER TABLE photo ADD COLUMN fetched INTEGER;
                """)
    }

    private static func fromVersion3(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE recipe (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
                CREATE TABLE gallery (key TEXT PRIMARY KEY NOT NULL, revision INTEGER NOT NULL) WITHOUT ROWID;
                ALTER TABLE photo ADD COLUMN recipe INTEGER;
                ALTER TABLE site ADD COLUMN inputs TEXT;
                ALTER TABLE site ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE owned ADD COLUMN key TEXT;
                """)
        try rewritePictures(database)
        // Size and times of a file were JSON; they are four numbers now.
        try database.execute(
            sql: """
                UPDATE source SET file_stamp = CASE WHEN json_valid(file_stamp) THEN printf('%d %d %d %d',
                    json_extract(file_stamp, '$.size'), json_extract(file_stamp, '$.modifiedNanoseconds'),
                    json_extract(file_stamp, '$.changedNanoseconds'), json_extract(file_stamp, '$.inode')) END
                WHERE file_stamp IS NOT NULL;
                """)
    }

    /// The pictures of a photo were JSON; they are lines now.
    private static func rewritePictures(_ database: Database) throws {
        var lists: [(gallery: String, key: String, text: String)] = []
        let decoder = JSONDecoder()
        try database.run("SELECT gallery, key, pictures FROM photo") { row in
            let pictures = try decoder.decode([PublishedPicture].self, from: Data(try row.text(2).utf8))
            lists.append((try row.text(0), try row.text(1), PictureList(pictures).text))
        }
        let update = try database.cachedStatement(sql: "UPDATE photo SET pictures = ? WHERE gallery = ? AND key = ?")
        for list in lists { try update.execute(arguments: [list.text, list.gallery, list.key]) }
    }
}

internal import GRDB
internal import PhotoModel

/// The tables of an older version, as they are in the file.
struct OlderTables {
    private let database: Database
    private let version: Int64
    /// The known tables that exist in the file.
    private let tables: [(name: String, scope: String?, covered: String)]

    /// All known tables: name, column of the scope, and the columns that the checksums of any version covered, in their
    /// order. Those of this version belong here too, for the next migration.
    private static let known: [(name: String, scope: String?, covered: String)] = [
        (
            "source", nil,
            "number key sha256 bytes etag last_modified file_stamp file_size file_modified file_changed file_inode "
                + "validated fresh_until retry_after retry_status fetched caching refusal moved responder"
        ),
        (
            "original", nil,
            "number sha256 facts edition format width height has_transparency taken camera lens exposure"
        ),
        ("recipe", nil, "id text"),
        (
            "photo", "gallery",
            "number key slug state code message reason since stale_since stale_code stale_message stale_reason sha256 "
                + "pictures attempts source recipe back fetched"
        ),
        ("mark", "gallery", "photo code since sentence withheld"),
        ("picture", "gallery", "photo position file_name width height bytes unfiltered colour version"),
        ("version", "gallery", "photo position sha256 fetched"),
        ("album", "gallery", "path slug"),
        ("gallery", nil, "key revision"),
        ("look", nil, "gallery checked"),
        ("site", nil, "output content templates updated inputs revision publication"),
        ("owned", "output", "path digest bytes key replaced publication"),
        ("place", nil, "key absolute manifests output"),
        ("location", nil, "key url"),
    ]

    init(_ database: Database, version: Int64) throws {
        self.database = database
        self.version = version
        tables = try Self.known.filter { try database.tableExists($0.name) }
    }

    /// Verifies the checksums and totals. Before version 6 there are none.
    /// - Throws: `DatabaseError` if a row or a total differs from what was written.
    func check() throws {
        guard version >= 6 else { return }
        for (name, scopeColumn, covered) in tables {
            let present = Set(try database.columns(in: name).map(\.name))
            let covered = covered.split(separator: " ").map(String.init).filter(present.contains)
            let columns = ([scopeColumn ?? "''", "sum"] + covered).joined(separator: ", ")
            let statement = try database.makeStatement(sql: "SELECT \(columns) FROM \(name)")
            let indices = covered.indices.map { Int32($0) + 2 }
            var totals: [String: [Int64]] = [:]
            let rows = try Row.fetchCursor(statement)
            while let row = try rows.next() {
                let checksum = try RowChecksum(of: statement.sqliteStatement, indices).value
                guard try row.decode(Int64.self, atIndex: 1) == checksum else {
                    throw DatabaseError.damaged("a row of \(name) is not as it was written")
                }
                let scope = try row.decode(String.self, atIndex: 0)
                let total = totals[scope] ?? [0, 0]
                totals[scope] = [total[0] + 1, total[1] &+ checksum]
            }
            let recorded = try TableTotal.all(of: name, database)
            guard Dictionary(uniqueKeysWithValues: recorded.map { ($0.scope, [$0.rows, $0.sum]) }) == totals else {
                throw DatabaseError.damaged("rows of \(name) are lost")
            }
        }
    }

    /// Renames the tables, so that those of this version can be created.
    func renameTables() throws {
        for (name, _, _) in tables {
            for index in try database.indexes(on: name) where index.origin == .createIndex {
                try database.drop(index: index.name)
            }
            try database.rename(table: name, to: Self.olderName(name))
        }
        if version >= 6 { try database.drop(table: "total") }
    }

    func remove() throws {
        for (name, _, _) in tables { try database.drop(table: Self.olderName(name)) }
    }

    private static func olderName(_ name: String) -> String { "older_\(name)" }

    /// Calls `read` with the values of each row of a table, by the names of their columns. It is not called if there is
    /// no such table.
    func forEach(_ name: String, _ read: (inout [String: (any DatabaseValueConvertible)?]) throws -> Void) throws {
        guard tables.contains(where: { $0.name == name }) else { return }
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(Self.olderName(name))")
        while let row = try rows.next() {
            var values = Self.values(of: row)
            try read(&values)
        }
    }

    /// The pictures of a photo, which have rows of their own since version 11.
    func pictures(ofPhoto number: Int64, gallery: String) throws -> [PublishedPicture] {
        let records: [PictureRecord] = try records("picture", ofPhoto: number, gallery: gallery, by: "position")
        return records.map(\.picture)
    }

    /// The marks of a photo, which exist since version 13, without those that this version does not know.
    func marks(ofPhoto number: Int64, gallery: String) throws -> [PhotoMark] {
        let records: [MarkRecord] = try records("mark", ofPhoto: number, gallery: gallery, by: "code")
        return records.compactMap(\.mark)
    }

    /// The earlier originals of a photo, which exist since version 14.
    func versions(ofPhoto number: Int64, gallery: String) throws -> [PhotoVersion] {
        let records: [VersionRecord] = try records("version", ofPhoto: number, gallery: gallery, by: "position")
        return records.map(\.version)
    }

    /// The rows of a photo in another table; none if there is no such table.
    private func records<Record: LedgerRecord>(
        _ name: String, ofPhoto number: Int64, gallery: String, by order: String
    ) throws -> [Record] {
        guard tables.contains(where: { $0.name == name }) else { return [] }
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM \(Self.olderName(name)) WHERE gallery = ? AND photo = ? ORDER BY \(order)")
        return try Row.fetchAll(statement, arguments: [gallery, number]).map { try record(Self.values(of: $0)) }
    }

    private static func values(of row: Row) -> [String: (any DatabaseValueConvertible)?] {
        var values: [String: (any DatabaseValueConvertible)?] = [:]
        for (column, value) in row { values[column] = value }
        return values
    }

    /// Makes a record of this version.
    /// - Parameter values: the values by the names of this version's columns. A missing value is null.
    func record<Record: LedgerRecord>(_ values: [String: (any DatabaseValueConvertible)?]) throws -> Record {
        let names = try database.columns(in: Record.databaseTableName).map(\.name)
        let statement = try database.cachedStatement(
            sql: "SELECT " + names.map { _ in "?" }.joined(separator: ", "))
        let arguments = StatementArguments(names.map { values[$0] ?? nil })
        guard let row = try Row.fetchOne(statement, arguments: arguments) else {
            throw DatabaseError.damaged("a row of \(Record.databaseTableName) can't be brought up to date")
        }
        return try Record(row: row)
    }
}

internal import GRDB
internal import PhotoModel
internal import Synchronization

/// The numberings of an open ledger's tables, those of photos for its own gallery only. They are taken from the snapshot; where
/// there was none, or another connection has written since, a table is read when one of its rows is first asked for.
final class Numberings: Sendable {
    private struct State {
        /// By the tables' names.
        var tables: [String: Numbering] = [:]
        /// SQLite's count of what other connections wrote.
        var version: Int64?
    }

    private let state = Mutex(State())

    /// To be called at the beginning of each transaction: what others wrote may have other numbers.
    func begin(_ database: Database) throws {
        var version: Int64?
        try database.run("PRAGMA data_version") { version = try $0.number(0) }
        state.withLock { state in
            if state.version != version { state = State(version: version) }
        }
    }

    /// Takes the numbering of a table from the rows that are being read anyway.
    /// - Parameter read: reads the table, and calls what it is given with each row's digest and number.
    func taking<Rows>(
        _ table: Table, in scope: String? = nil, _ database: Database,
        _ read: ((Digest, Int64) throws -> Void) throws -> Rows
    ) throws -> Rows {
        var numbering = Numbering(expected: try Total.recorded(table, scope ?? "", database).capacity)
        let rows = try read { try numbering.insert($0, $1) }
        state.withLock { $0.tables[table.name] = numbering }
        return rows
    }

    func number(of digest: Digest, _ table: Table, in scope: String?, _ database: Database) throws -> Int64? {
        try with(table, in: scope, database) { $0.number(of: digest) }
    }

    func numberOrNew(of digest: Digest, _ table: Table, in scope: String?, _ database: Database) throws -> Int64 {
        try with(table, in: scope, database) { try $0.numberOrNew(of: digest) }
    }

    func forget(_ digest: Digest, _ table: Table) { state.withLock { $0.tables[table.name]?.forget(digest) } }

    private func with<Result>(
        _ table: Table, in scope: String?, _ database: Database, _ use: (inout Numbering) throws -> Result
    ) throws -> Result {
        try state.withLock { state in
            if state.tables[table.name] == nil {
                state.tables[table.name] = try Self.read(table, in: scope, database)
            }
            return try use(&state.tables[table.name, default: Numbering()])
        }
    }

    private static func read(_ table: Table, in scope: String?, _ database: Database) throws -> Numbering {
        var numbering = Numbering(expected: try Total.recorded(table, scope ?? "", database).capacity)
        try Columns.forEach(table, in: scope, database) { row in
            try numbering.insert(try row.digest(1), try row.number(0))
        }
        return numbering
    }
}

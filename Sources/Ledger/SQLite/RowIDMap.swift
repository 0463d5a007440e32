internal import GRDB
internal import PhotoModel
internal import Synchronization

/// Under which numbers the rows of an open ledger's numbered tables stand, by the digests that they are of: those of
/// photos for its own gallery only. They are held in memory, as an index in the file would be written at random
/// places once more. They are taken from the snapshot; where there was none, or another connection has written since,
/// a table is read when one of its rows is first asked for.
///
/// Tables are numbered in the order in which their rows came: what a build learns of a photo, of its address and of
/// its original is written beside what it learnt just before, however large the gallery. In the order of their
/// digests each row would be on another page.
final class RowIDMap: Sendable {
    /// What a digest is held as: a large gallery has hundreds of thousands. Two that agree in all these bits take 2⁶³
    /// tries to find; then the row of one takes the other's place, and is learnt again.
    private struct Key: Hashable {
        private let first: UInt64
        /// The table is in the lowest bits.
        private let second: UInt64

        init(_ digest: Digest, _ table: Table) {
            guard let tag = table.numberingTag else { preconditionFailure("\(table.name) has no numbers") }
            (first, second) = (digest.firstHalf.0, digest.firstHalf.1 & ~3 | tag.rawValue)
        }
    }

    private struct State {
        var numbers: [Key: UInt32] = [:]
        /// The highest number of each table that was read.
        var last: [String: UInt32] = [:]
        /// SQLite's count of what other connections wrote.
        var version: Int64?

        /// Takes up a row.
        /// - Throws: if the table has another one of the digest, or the number is none that was given out here.
        mutating func insert(_ digest: Digest, _ number: Int64, in table: Table) throws {
            guard let number = UInt32(exactly: number), number > 0, number < .max else {
                throw SQLiteRow.damaged("a row of \(table.name) has a number that is none of ours")
            }
            guard numbers.updateValue(number, forKey: Key(digest, table)) == nil else {
                throw SQLiteRow.isTwice(table)
            }
            last[table.name] = max(last[table.name] ?? 0, number)
        }
    }

    /// Locked while a table is read: nobody else waits for it, as all is asked within transactions, of which there is
    /// one at a time.
    private let state = Mutex(State())

    /// To be called at the beginning of each transaction: what others wrote may have other numbers.
    func begin(_ database: Database) throws {
        var version: Int64?
        try database.run("PRAGMA data_version") { version = try $0.number(0) }
        state.withLock { state in
            if state.version != version { state = State(version: version) }
        }
    }

    /// Takes the numbers of a table from its rows, which are being read anyway.
    /// - Parameter read: reads the table, and calls what it is given with each row's digest and number.
    func taking<Result>(
        _ table: Table, in scope: String? = nil, _ database: Database,
        _ read: ((Digest, Int64) throws -> Void) throws -> Result
    ) throws -> Result {
        let expected = try TableChecksum.recorded(table, scope ?? "", database).capacity
        return try state.withLock { state in
            let isRead = state.last[table.name] != nil
            if !isRead {
                state.numbers.reserveCapacity(state.numbers.count + expected)
                state.last[table.name] = 0
            }
            do {
                return try read { if !isRead { try state.insert($0, $1, in: table) } }
            } catch {
                // A part of a table is none.
                state = State(version: state.version)
                throw error
            }
        }
    }

    /// The number of a digest's row, nil if there is none.
    func number(of digest: Digest, _ table: Table, in scope: String?, _ database: Database) throws -> Int64? {
        try readOnce(table, in: scope, database)
        return state.withLock { $0.numbers[Key(digest, table)].map { Int64($0) } }
    }

    /// - Returns: the number of the digest's row, or the next one for a row that is new.
    func numberOrNew(of digest: Digest, _ table: Table, in scope: String?, _ database: Database) throws -> Int64 {
        if let known = try number(of: digest, table, in: scope, database) { return known }
        return try state.withLock { state in
            let next = Int64(state.last[table.name] ?? 0) + 1
            try state.insert(digest, next, in: table)
            return next
        }
    }

    func forget(_ digest: Digest, _ table: Table) {
        state.withLock { state in
            _ = state.numbers.removeValue(forKey: Key(digest, table))
        }
    }

    private func readOnce(_ table: Table, in scope: String?, _ database: Database) throws {
        guard state.withLock({ $0.last[table.name] == nil }) else { return }
        try taking(table, in: scope, database) { visit in
            try SQLiteRow.forEach(table, in: scope, database) { try visit(try $0.digest(1), try $0.number(0)) }
        }
    }
}

internal import CLibSQLite
internal import GRDB

/// The way in which SQLite makes transactions safe.
package enum JournalMode: Sendable {
    /// Changes are appended to a journal beside the file (SQLite's write-ahead log). Needs memory that processes share,
    /// which network file systems do not have.
    case writeAhead
    /// Pages are copied before they change: slower, and safe on any file system.
    case rollback

    /// The statements that begin each connection.
    func prepare(_ database: Database) throws {
        switch self {
        case .writeAhead:
            // Losing the last transactions to a power cut only means doing their work again; a torn file is what
            // write-ahead logging rules out.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            // If SQLite refuses, the ledger keeps a rollback journal, which must be synchronised more often.
            try database.execute(sql: "PRAGMA synchronous = \(mode == "wal" ? "NORMAL" : "FULL")")
        case .rollback:
            // A file that was left with a write-ahead log can only be read without shared memory by its only user.
            try database.execute(
                sql: """
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA journal_mode = DELETE;
                    PRAGMA locking_mode = NORMAL;
                    PRAGMA synchronous = FULL
                    """)
        }
    }
}

extension DatabaseError {
    /// Whether it may be the memory that processes share which could not be had.
    var isWithoutSharedMemory: Bool {
        switch extendedResultCode {
        case .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMLOCK, .SQLITE_IOERR_SHMMAP,
            .SQLITE_READONLY_CANTINIT, .SQLITE_PROTOCOL, .SQLITE_CANTOPEN:
            true
        default: false
        }
    }
}

extension DatabaseQueue {
    /// To be called when the disk has refused a change. As it closes a file, SQLite synchronises the write-ahead log
    /// again, to move it into the file, and would believe the disk that what just failed to be is there now.
    func keepJournalAtClose() {
        inDatabase { database in
            if let connection = database.sqliteConnection { sqlite3_keep_log_at_close(connection) }
        }
    }
}

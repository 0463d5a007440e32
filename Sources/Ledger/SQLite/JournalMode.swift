internal import CLibSQLite
internal import GRDB

/// The way in which SQLite makes transactions atomic and durable.
package enum JournalMode: Sendable {
    /// Changes are appended to SQLite's write-ahead log, a file next to the ledger. This mode needs memory that
    /// processes share, which network file systems do not offer.
    case writeAhead
    /// Pages are copied to a rollback journal before they are changed. This mode is slower, but safe on any file
    /// system.
    case rollback

    /// Executes the statements that a new connection needs.
    func prepare(_ database: Database) throws {
        switch self {
        case .writeAhead:
            // The loss of the last transactions in a power cut only means that their work is done again. Write-ahead
            // logging rules out a torn file.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            // If SQLite refuses this mode, the ledger has a rollback journal, which must be synchronised more often.
            try database.execute(sql: "PRAGMA synchronous = \(mode == "wal" ? "NORMAL" : "FULL")")
        case .rollback:
            // A ledger that was left with a write-ahead log can be read without shared memory only with an exclusive
            // lock.
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
    /// Whether a lack of shared memory is a possible cause of the error.
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
    /// Makes SQLite keep the write-ahead log when the ledger is closed. Must be called after the disk has refused a
    /// change. On closing, SQLite would synchronise the log again in order to merge it into the file. The disk might
    /// report success for the very data that it has just failed to write.
    func keepJournalAtClose() {
        inDatabase { database in
            if let connection = database.sqliteConnection { sqlite3_keep_log_at_close(connection) }
        }
    }
}

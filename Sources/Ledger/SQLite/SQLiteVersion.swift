internal import CLibSQLite

/// The version of SQLite.
package enum SQLiteVersion {
    /// "SQLite 3.40.1": the one that is loaded.
    package static var description: String { "SQLite \(String(cString: sqlite3_libversion()))" }
}

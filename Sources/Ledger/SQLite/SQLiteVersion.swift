internal import CLibSQLite

/// The version of SQLite that is loaded.
package enum SQLiteVersion {
    /// The name and version, such as "SQLite 3.40.1".
    package static var description: String { "SQLite \(String(cString: sqlite3_libversion()))" }
}

import GRDB

/// Changes a database without going through the ledger.
enum SQLite {
    static func execute(_ statement: String, at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: statement) }
    }
}

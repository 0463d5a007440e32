internal import Foundation
internal import GRDB

extension DatabaseQueue {
    /// Opens a database for reading.
    /// - Parameters:
    ///   - wait: the longest wait for another process's transaction, in seconds.
    ///   - isInUse: whether another process may have the database open even if there is no journal.
    static func reading(_ path: String, wait: Double, isInUse: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(wait)
        if isInUse || ["-wal", "-journal"].contains(where: { FileManager.default.fileExists(atPath: path + $0) }) {
            return try DatabaseQueue(path: path, configuration: configuration)
        }
        // Without a journal, no process has the ledger open. SQLite would create a journal even for reading; with
        // `immutable`, which declares that nothing changes, it does not.
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        do {
            return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // SQLite was built without support for URIs, or the file really can't be opened. The next call reports the
            // latter.
            return try DatabaseQueue(path: path, configuration: configuration)
        }
    }
}

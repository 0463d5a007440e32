internal import Foundation
internal import GRDB

extension LedgerError {
    /// Classifies an error of SQLite. Only an error in the file itself allows a ledger to be set aside. No other
    /// failure, even an unforeseen one, may lead to the loss of the records.
    /// - Parameters:
    ///   - isBroughtUpToDate: whether rows of an older version or of another place were being rewritten. Their content
    ///     is then the cause of the error, which would occur every time.
    ///   - isIntact: whether the file is intact as far as SQLite can tell, and has the tables of its version. It is
    ///     called only if damage and a mistake in this program would give the same error.
    init(_ error: DatabaseError, path: String, isBroughtUpToDate: Bool = false, isIntact: () -> Bool) {
        let detail = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FORMAT:
            self = .unreadable(path: path, detail: detail)
        case .SQLITE_CONSTRAINT where isBroughtUpToDate, .SQLITE_MISMATCH where isBroughtUpToDate,
            .SQLITE_TOOBIG where isBroughtUpToDate:
            self = .unreadable(path: path, detail: detail)
        case .SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_MISUSE, .SQLITE_CONSTRAINT,
            .SQLITE_TOOBIG:
            // Either the file lacks a table, a column or a type that every ledger has, has two rows where only one is
            // possible, or has a value that is longer than any ever written; or the statement is wrong.
            self = isIntact() ? .bug(detail: detail) : .unreadable(path: path, detail: detail)
        case .SQLITE_FULL:
            self = .storage(path: path, detail: detail, isDiskFull: .yes)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            self =
                Self.deniedPath(ofLedgerAt: path).map { .denied(path: $0) }
                ?? .storage(path: path, detail: detail, isDiskFull: .possibly)
        case .SQLITE_IOERR, .SQLITE_PROTOCOL:
            self = .storage(path: path, detail: detail, isDiskFull: .possibly)
        default:
            self = .storage(path: path, detail: detail)
        }
    }

    /// Finds what the user may not access, because SQLite reports neither the file nor the reason.
    /// - Returns: the path of the ledger, of one of its journals or of its folder; nil if all of them are accessible.
    private static func deniedPath(ofLedgerAt path: String) -> String? {
        func isDenied(_ path: String, _ mode: Int32) -> Bool { access(path, mode) != 0 && errno == EACCES }
        let folder = (path as NSString).deletingLastPathComponent
        if isDenied(folder, X_OK) { return folder }
        let files = ["", "-wal", "-shm", "-journal"].map { path + $0 }
        // A file that only can't be written does not keep anybody from reading it.
        if let file = files.first(where: { isDenied($0, R_OK) }) ?? files.first(where: { isDenied($0, W_OK) }) {
            return file
        }
        return isDenied(folder, W_OK) ? folder : nil
    }
}

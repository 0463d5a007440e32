internal import GRDB

extension LedgerError {
    /// Classifies an error of SQLite. Only an error about the file itself lets a ledger be set aside: any other
    /// failure, including one that is not foreseen here, must not cost the records.
    /// - Parameter isSound: whether the file is whole, as far as SQLite can tell, and has the tables of its version;
    ///   asked only where damage and a mistake of ours give the same error.
    /// - Parameter isBroughtUpToDate: whether rows of an older version, or of another place, were being written anew:
    ///   what these hold is then the reason, and would be each time.
    init(_ error: DatabaseError, path: String, isBroughtUpToDate: Bool = false, isSound: () -> Bool) {
        let detail = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FORMAT:
            self = .unreadable(path: path, detail: detail)
        case .SQLITE_CONSTRAINT where isBroughtUpToDate, .SQLITE_MISMATCH where isBroughtUpToDate,
            .SQLITE_TOOBIG where isBroughtUpToDate:
            self = .unreadable(path: path, detail: detail)
        case .SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_MISMATCH, .SQLITE_RANGE, .SQLITE_MISUSE, .SQLITE_CONSTRAINT,
            .SQLITE_TOOBIG:
            // A table, a column or a type that every ledger has and this one has not, two rows where only one can be, a
            // length that nothing ever had; or else a wrong statement.
            self = isSound() ? .bug(detail: detail) : .unreadable(path: path, detail: detail)
        case .SQLITE_FULL:
            self = .storage(path: path, detail: detail, isDiskFull: .yes)
        case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_PROTOCOL:
            self = .storage(path: path, detail: detail, isDiskFull: .possibly)
        default:
            self = .storage(path: path, detail: detail)
        }
    }
}

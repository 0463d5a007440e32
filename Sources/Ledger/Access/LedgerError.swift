/// Errors of the ledger's file.
package enum LedgerError: Error, Hashable, Sendable {
    /// The file is not a ledger, is damaged, or has content that can't be migrated. It can be set aside and rebuilt.
    case unreadable(path: String, detail: String)
    /// The file can't be read or written: the disk is full, read-only or broken, or a newer version of the program
    /// wrote the file, which must then not be changed.
    case storage(path: String, detail: String, isDiskFull: DiskFull = .no)
    /// The user may not read or write the file, one of its journals, or its folder.
    case denied(path: String)
    /// SQLite refuses a statement although the file is sound. The mistake is in this program.
    case bug(detail: String)

    /// Whether a full disk is the reason. SQLite can't always tell a full disk from a broken one.
    package enum DiskFull: Hashable, Sendable { case yes, possibly, no }

    /// Whether a change was refused although the file is sound, so that its journal has to stay.
    var isRefusal: Bool {
        switch self {
        case .storage, .denied: true
        case .unreadable, .bug: false
        }
    }
}

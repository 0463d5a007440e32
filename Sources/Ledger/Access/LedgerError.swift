/// Errors of the ledger's file.
package enum LedgerError: Error, Hashable, Sendable {
    /// The file is no ledger of ours, is damaged, or holds what can't be brought up to date; it can be set aside and
    /// rebuilt.
    case unreadable(path: String, detail: String)
    /// The file can't be read or written: the disk is full, read-only or broken, or a newer version wrote the file,
    /// which must not change it.
    case storage(path: String, detail: String, isDiskFull: DiskFull = .no)
    /// SQLite refuses a statement of ours, though the file is sound: the mistake is in this program.
    case bug(detail: String)

    /// Whether a full disk is the reason. SQLite does not always tell a full disk from a broken one.
    package enum DiskFull: Hashable, Sendable { case yes, possibly, no }
}

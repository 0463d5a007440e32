/// Errors of the ledger's file.
package enum LedgerError: Error, Hashable, Sendable {
    /// The file is no ledger of ours, is damaged, or holds what can't be brought up to date; it can be set aside and
    /// rebuilt.
    case unreadable(path: String, detail: String)
    /// The disk refused: full, read-only or broken; or a newer version wrote the file, which is to be left alone.
    case storage(path: String, detail: String)
    /// SQLite refuses a statement of ours, though the file is sound: the mistake is in this program.
    case bug(detail: String)
}

/// What can go wrong with the ledger's file.
package enum LedgerError: Error, Hashable, Sendable {
    /// The file is no ledger of ours, is damaged, or was written by a newer version; it can be set aside and rebuilt.
    case unreadable(path: String, detail: String)
    /// The disk refused: full, read-only or broken.
    case storage(path: String, detail: String)
}

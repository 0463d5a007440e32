internal import Foundation
internal import Ledger

/// Opens the ledger of a state folder and reads it. One that cannot be read is set aside, never deleted, and begun anew.
struct LedgerOpening {
    let state: StateFolder
    let warn: (String) -> Void

    func open() throws(GalleryError) -> (Ledger, LedgerSnapshot) {
        do {
            return try read()
        } catch .unreadable(_, let detail) {
            let kept = try setAside()
            warn("the ledger could not be read (\(detail)); it is kept as \(kept), and everything is checked again")
        } catch {
            throw GalleryError(error)
        }
        do {
            return try read()
        } catch {
            throw GalleryError(error)
        }
    }

    private func read() throws(LedgerError) -> (Ledger, LedgerSnapshot) {
        let ledger = try Ledger(path: state.ledger)
        return (ledger, try ledger.snapshot())
    }

    /// - Returns: where the file is now.
    private func setAside() throws(GalleryError) -> String {
        let files = FileManager.default
        var kept = state.ledger + ".unreadable"
        var number = 1
        while files.fileExists(atPath: kept) {
            number += 1
            kept = state.ledger + ".unreadable-\(number)"
        }
        do {
            try files.moveItem(atPath: state.ledger, toPath: kept)
            // The journal belongs to the file that was set aside; a new ledger must not meet it.
            for suffix in ["-wal", "-shm"] where files.fileExists(atPath: state.ledger + suffix) {
                try files.moveItem(atPath: state.ledger + suffix, toPath: kept + suffix)
            }
        } catch {
            throw .storage(path: state.ledger, detail: "it can't be set aside: \(error.localizedDescription)")
        }
        return kept
    }
}

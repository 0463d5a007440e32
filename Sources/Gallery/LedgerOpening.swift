internal import Foundation
internal import Ledger

/// An open ledger, and what it remembered when it was opened.
struct LedgerMemory {
    let ledger: Ledger
    let snapshot: LedgerSnapshot
    /// Without its files; nil if the output folder was never published to.
    let site: SiteRow?
}

/// Opens the ledger of a state folder and reads it. One that cannot be read is set aside, never deleted, and begun anew.
struct LedgerOpening {
    let state: StateFolder
    let gallery: String
    /// The output folder whose files are asked for.
    let output: String
    let warn: (String) -> Void

    func open() throws(GalleryError) -> LedgerMemory {
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

    private func read() throws(LedgerError) -> LedgerMemory {
        let ledger = try Ledger(path: state.ledger, gallery: gallery)
        return LedgerMemory(
            ledger: ledger, snapshot: try ledger.snapshot(), site: try ledger.site(output: output, withFiles: false))
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

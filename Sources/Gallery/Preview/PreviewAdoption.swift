internal import Downloads
internal import Foundation
internal import Ledger
internal import PhotoModel

/// Takes over into a build what a preview of the same gallery has fetched and rendered, so that the build repeats
/// nothing of it.
struct PreviewAdoption {
    private let preview: StateFolder
    private let state: StateFolder
    private let holder: String
    private let snapshot: LedgerSnapshot
    /// The sizes of the preview's derivatives in bytes, by file name.
    private(set) var pictures: [String: Int64] = [:]

    /// - Returns: nil if there is no preview, or if its ledger can't be read: it is only a copy of work.
    init?(_ options: BuildOptions) {
        (state, preview, holder) = (options.state, options.state.preview, options.lockHolder)
        guard access(preview.ledger, F_OK) == 0 else { return nil }
        // The preview itself reports a damaged ledger and sets it aside.
        guard let ledger = try? Ledger(reading: preview.ledger, identity: options.identity) else { return nil }
        defer { ledger.close() }
        guard let snapshot = try? ledger.snapshot() else { return nil }
        self.snapshot = snapshot
    }

    /// Links the preview's files into the folders of builds, and records what it knows of addresses and originals.
    /// Photos are not recorded: a build that has not published them yet reports them as new.
    mutating func run(_ session: inout LedgerSession) throws(GalleryError) {
        let (sources, originals) = session.snapshot.missing(from: snapshot)
        let store = try OriginalStore.opening(state.originals)
        let lender = OriginalStore(reading: preview.originals)
        do {
            // The files come before the rows that refer to them.
            for digest in Set(sources.compactMap(\.sha256)) { _ = try store.adopt(digest, from: lender) }
        } catch {
            throw GalleryError(error)
        }
        for photo in snapshot.photos.values {
            for picture in photo.pictures {
                let name = picture.fileName
                let path = state.derivatives + "/" + name
                // A derivative that can't be linked is rendered again.
                guard link(preview.derivatives + "/" + name, path) == 0 || errno == EEXIST else { continue }
                pictures[name] = picture.bytes
            }
        }
        let entries = sources.map { LedgerEntry.source($0) } + originals.map { .original($0) }
        guard !entries.isEmpty else { return }
        do {
            try session.ledger.record(entries)
        } catch {
            throw GalleryError(error)
        }
        for row in sources { session.snapshot.sources[row.key] = row }
        for row in originals { session.snapshot.originals[row.sha256] = row }
    }

    /// Removes the preview's state after a build has taken it over, unless the preview is running.
    func end() {
        guard !snapshot.photos.isEmpty, let lock = try? FolderLock(path: preview.lock, holder: holder) else { return }
        preview.removeContent()
        lock.release()
    }
}

extension StateFolder {
    /// Removes the ledger, the originals and the derivatives of a preview. What can't be removed stays until the next
    /// time. Only the holder of the folder's lock may call this.
    func removeContent() {
        // The ledger goes first: without it, nothing refers to the other files.
        let ledgers = ["", "-wal", "-shm", "-journal"].map { ledger + $0 }
        for path in ledgers + [originals, derivatives] { try? FileManager.default.removeItem(atPath: path) }
    }
}

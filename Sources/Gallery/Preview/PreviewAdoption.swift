internal import Downloads
internal import Foundation
internal import Ledger
internal import PhotoModel

/// Takes over into a build what a preview of the same gallery has fetched and rendered, so that the build repeats
/// nothing of it.
struct PreviewAdoption {
    private let preview: PreviewSnapshot
    private let state: StateFolder
    private let holder: String
    /// Whether the build has everything that the preview had recorded.
    private var isComplete = false
    /// The sizes of the preview's derivatives in bytes, by file name.
    private(set) var pictures: [String: Int64] = [:]

    /// - Returns: nil if there is no preview, or if its ledger can't be read.
    init?(_ options: BuildOptions) {
        guard let preview = PreviewSnapshot(options) else { return nil }
        (self.preview, state, holder) = (preview, options.state, options.lockHolder)
    }

    /// Links the preview's files into the folders of builds, and records what it knows of addresses and originals.
    /// Photos are not recorded: a build that has not published them yet reports them as new.
    /// - Parameter warn: receives a message if nothing can be taken over.
    /// - Throws: `GalleryError.damagedLedger` for the ledger of builds. The build goes on after any other problem.
    mutating func run(_ session: inout LedgerSession, warn: (String) -> Void) throws(GalleryError) {
        do throws(GalleryError) {
            isComplete = true
            try adopt(&session)
        } catch {
            if error.isDamage { throw error }
            (isComplete, pictures) = (false, [:])
            warn("nothing is taken over from the preview: \(error.message)")
        }
    }

    private mutating func adopt(_ session: inout LedgerSession) throws(GalleryError) {
        var (sources, originals) = session.snapshot.missing(from: preview.snapshot)
        let store = try OriginalStore.opening(state.originals)
        let previewOriginals = OriginalStore(reading: preview.folder.originals)
        do throws(DownloadsError) {
            // The files come before the rows that refer to them.
            var lost: Set<Digest> = []
            for digest in Set(sources.compactMap(\.sha256)) where !(try store.adopt(digest, from: previewOriginals)) {
                lost.insert(digest)
            }
            sources.removeAll { row in row.sha256.map(lost.contains) ?? false }
        } catch {
            throw GalleryError(error)
        }
        for photo in preview.snapshot.photos.values {
            for picture in photo.pictures where adopt(derivative: picture.fileName) {
                pictures[picture.fileName] = picture.bytes
            }
        }
        try session.record(sources, originals)
    }

    /// Links a derivative, or copies it to another disk.
    /// - Returns: whether the build has it now. Otherwise it is rendered again.
    private mutating func adopt(derivative name: String) -> Bool {
        let (source, path) = (preview.folder.derivatives + "/" + name, state.derivatives + "/" + name)
        if link(source, path) == 0 || errno == EEXIST { return true }
        // Pictures that builds have made are not in the preview's folder.
        if errno == ENOENT { return false }
        // The name is that of temporary files of `DerivativeCache`.
        let temporary = "\(state.derivatives)/.\(name).\(UUID().uuidString).tmp"
        do {
            try FileManager.default.copyItem(atPath: source, toPath: temporary)
            if rename(temporary, path) == 0 { return true }
        } catch {
            // The preview keeps its copy.
        }
        unlink(temporary)
        isComplete = false
        return false
    }

    /// Removes the preview's state after a build has taken it over, unless the preview is running, has recorded more in
    /// the meantime, or has worked for another gallery as well.
    func end() {
        // An error of the lock means that the preview is running, or that the lock can't be opened. The state is left
        // to the next build then.
        guard isComplete, !preview.snapshot.photos.isEmpty, !preview.hasOthers,
            let lock = try? FolderLock(path: preview.folder.lock, holder: holder)
        else { return }
        if preview.isCurrent { preview.folder.removeContent() }
        lock.release()
    }
}

extension StateFolder {
    /// Removes the ledger, the originals and the derivatives of a preview. What can't be removed stays until the next
    /// time. Only the holder of the folder's lock may call this.
    func removeContent() {
        // The ledger goes first: without it, nothing refers to the other files. An error is ignored, because a file
        // that stays does no harm, and the next build or `clean --unused` removes it.
        for path in ledgerFiles + [originals, derivatives] { try? FileManager.default.removeItem(atPath: path) }
    }
}

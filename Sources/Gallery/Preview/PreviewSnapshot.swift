internal import Downloads
internal import Foundation
internal import Ledger
internal import PhotoModel

/// The records of a preview of a gallery. The preview can be running; nothing is written.
struct PreviewSnapshot {
    /// The state folder of the preview.
    let folder: StateFolder
    let snapshot: LedgerSnapshot
    /// Whether the preview's ledger has photos of other galleries, which share the state folder.
    let hasOthers: Bool
    private let stamps: [FileStamp?]

    /// The longest wait for a transaction of the preview, in seconds. A build can do without its work.
    private static let wait = 0.2

    /// - Returns: nil if there is no preview, or if its ledger can't be read: it is only a copy of work.
    init?(_ options: BuildOptions) {
        let folder = options.state.preview
        guard Self.areFiles(folder), let stamps = Self.stamps(folder) else { return nil }
        let read = FolderLock.sharing(folder.lock) { isHeld -> (LedgerSnapshot, Bool)? in
            // The preview itself reports a damaged ledger and sets it aside. A build only repeats its work.
            let ledger = try? Ledger(
                reading: folder.ledger, identity: options.identity, wait: Self.wait, isInUse: isHeld)
            guard let ledger else { return nil }
            defer { ledger.close() }
            guard let snapshot = try? ledger.snapshot(), let hasOthers = try? ledger.hasOtherGalleries()
            else { return nil }
            return (snapshot, hasOthers)
        }
        guard let read else { return nil }
        self.folder = folder
        (snapshot, hasOthers) = read
        self.stamps = stamps
    }

    /// Whether the preview has recorded nothing since this was read. Only the holder of the preview's lock may rely on
    /// it.
    var isCurrent: Bool { Self.stamps(folder) == stamps }

    /// Adds what a build would take over.
    func add(to builds: inout LedgerSnapshot, _ disk: inout DiskState) {
        // A folder that can't be listed has nothing that a build could link.
        disk.originals.formUnion((try? OriginalStore(reading: folder.originals).digests()) ?? [])
        let (sources, originals) = builds.missing(from: snapshot)
        for row in sources where row.sha256.map(disk.originals.contains) ?? true { builds.sources[row.key] = row }
        for row in originals { builds.originals[row.sha256] = row }
    }

    /// The copy of a remote manifest that a build would take over.
    /// - Parameter builds: what the builds know themselves.
    /// - Returns: nil if the preview has none, or an older one than the builds.
    func lastGoodCopy(of input: ManifestInput, after builds: LedgerSnapshot) throws(GalleryError) -> ManifestBytes? {
        var merged = builds
        merged.merge(snapshot)
        return try input.lastGoodCopy(in: OriginalStore(reading: folder.originals), merged)
    }

    /// The stamps of the ledger and its journals; nil if there is no ledger.
    private static func stamps(_ folder: StateFolder) -> [FileStamp?]? {
        let stamps = ["", "-wal", "-journal"].map { suffix in
            var stamp = FileStamp(ofFileAt: folder.ledger + suffix)
            // SQLite can set the owner of a journal again when it only reads.
            stamp?.changedNanoseconds = 0
            return stamp
        }
        return stamps[0] == nil ? nil : stamps
    }

    /// Whether the ledger and its journals are regular files, as far as they exist. To open a pipe could take forever.
    private static func areFiles(_ folder: StateFolder) -> Bool {
        folder.ledgerFiles.allSatisfy { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return errno == ENOENT }
            return status.st_mode & S_IFMT == S_IFREG
        }
    }
}

extension LedgerOpening {
    /// Opens the ledger of a preview, and removes the derivatives that no photo there shows: those of filters that were
    /// only tried. Only the holder of the preview's lock may call this.
    func openForPreview() throws(GalleryError) -> Ledger {
        let session = try open()
        var used: Set<String>
        do {
            used = try session.ledger.picturesOfOthers()
        } catch {
            throw GalleryError(error)
        }
        for photo in session.snapshot.photos.values { used.formUnion(photo.pictures.lazy.map(\.fileName)) }
        DerivativeCache.removeFiles(in: state.derivatives, except: used)
        return session.ledger
    }
}

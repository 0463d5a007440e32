internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// An open ledger, and its content when it was opened.
struct LedgerSession {
    let ledger: Ledger
    var snapshot: LedgerSnapshot
    /// The ledger's row of the output folder, without its files; nil if nothing was ever published there.
    let site: SiteRow?
    /// The comparison of the published files with the ledger, which runs while the ledger is read; nil if it was not
    /// asked for, or if nothing was ever published in the output folder.
    let fileScan: BackgroundTask<PublishedFiles>?
    /// The published site, if the ledger does not know it: set by `recover`.
    private(set) var earlier: PublishedSite?

    /// The time of the site's last change in seconds since 1970; nil if no build has published it.
    var lastPublished: Int64? { site?.updated ?? earlier?.updated.seconds }

    init(
        ledger: Ledger, snapshot: LedgerSnapshot, site: SiteRow?, fileScan: BackgroundTask<PublishedFiles>? = nil
    ) {
        self.ledger = ledger
        self.snapshot = snapshot
        self.site = site
        self.fileScan = fileScan
    }

    /// Fills the snapshot with the photos of a list that the published site shows, if the ledger knows no photos of the
    /// gallery. A ledger does not know a gallery either if its manifests were renamed, added or removed. If the ledger
    /// does not know the output folder, `earlier` is set.
    /// - Returns: whether photos were recovered.
    mutating func recover(_ list: PhotoList, from output: String) throws(GalleryError) -> Bool {
        guard site == nil || snapshot.photos.isEmpty else { return false }
        let found: PublishedSite?
        do {
            found = try PublishedSite(in: output)
        } catch {
            throw .site(error)
        }
        if site == nil { earlier = found }
        guard let found, snapshot.photos.isEmpty else { return false }
        let rows = found.rows(for: list).withColours(ofPicturesIn: output)
        do {
            try ledger.record(
                publication: nil, changed: [], photos: Array(rows.values),
                replacing: Array(repeating: nil, count: rows.count), removing: [], albums: snapshot.albums)
        } catch {
            throw GalleryError(error)
        }
        snapshot.photos = rows
        snapshot.revision += 1
        return true
    }

    /// Takes the rows of addresses out of the snapshot, so that the operations can release them before pages are
    /// rendered.
    mutating func takeSources() -> [Digest: SourceRow] {
        let sources = snapshot.sources
        snapshot.sources = [:]
        return sources
    }

    /// Discards the snapshot's photos, because each record holds its own row.
    /// - Returns: a task that finds the keys of the photos that no record has under its current key. Their rows must be
    ///   removed from the ledger.
    mutating func discardPhotos(of records: [PhotoRecord]) -> BackgroundTask<[Digest]> {
        let photos = snapshot.photos
        snapshot.photos = [:]
        let kept = records.filter { $0.remembered?.key == $0.key }.map(\.key)
        return BackgroundTask {
            if kept.count == photos.count { return [] }
            let kept = Set(kept)
            return photos.keys.filter { !kept.contains($0) }
        }
    }

    /// The photos that have left the list, by the order of their slugs. Must be called before `discardPhotos`.
    func removedPhotos(_ records: [PhotoRecord]) -> [PhotoChange] {
        let kept = Set(records.lazy.compactMap { $0.remembered?.key })
        let removed = snapshot.photos.values.lazy.filter { !kept.contains($0.key) }
        return removed.map { PhotoChange(removed: $0) }.sorted { $0.slug < $1.slug }
    }

    /// The files in the output folder that belong to gallerygen; nil if the ledger does not know the folder.
    func owned(in output: String) throws(GalleryError) -> [String: OwnedFile]? {
        guard site != nil else { return nil }
        do {
            return try ledger.site(output: output)?.owned ?? [:]
        } catch {
            throw GalleryError(error)
        }
    }

    /// - Throws: `GalleryError.site` if the output folder holds a site that gallerygen did not publish.
    func refuseForeignSite(in output: String) throws(GalleryError) {
        try Gallery.refuseForeignSite(in: output, ledger: site == nil ? nil : ledger)
    }
}

/// - Parameter ledger: the ledger; nil if no ledger knows the output folder.
/// - Throws: `GalleryError.site` if the output folder holds a site that gallerygen did not publish.
func refuseForeignSite(in output: String, ledger: Ledger?) throws(GalleryError) {
    var isRecorded = false
    do {
        isRecorded = try ledger?.file(at: "index.html", output: output) != nil
    } catch {
        throw GalleryError(error)
    }
    do throws(SiteError) {
        try Site.refuseForeignSite(in: output) { path throws(SiteError) in
            try ledger == nil ? adoptableFiles(in: output)[path] != nil : isRecorded
        }
    } catch {
        throw .site(error)
    }
}

/// Opens the ledger of a state folder and reads it. A ledger that can't be used is set aside, never deleted, and a new
/// one is created.
struct LedgerOpening {
    let state: StateFolder
    let identity: GalleryIdentity
    /// The output folder whose row is read.
    let output: String
    /// Compares the published files with the ledger in the background; nil if the work does not need that.
    var fileScan: PublishedFileScan?
    let warn: (String) -> Void

    /// Opens the ledger for some work. Not all damage shows when a ledger is read. If the work finds the ledger
    /// damaged, the ledger is set aside, and the work runs again with a new one. It then finds whatever part of the
    /// site is already in place.
    func use<Result>(
        _ work: (consuming LedgerSession) throws(GalleryError) -> Result
    ) throws(GalleryError) -> Result {
        do throws(GalleryError) {
            return try attempt(work)
        } catch .damagedLedger(_, let detail) {
            try setAside(because: detail)
            return try attempt(work)
        }
    }

    private func attempt<Result>(
        _ work: (consuming LedgerSession) throws(GalleryError) -> Result
    ) throws(GalleryError) -> Result {
        let session = try open()
        let (ledger, fileScan) = (session.ledger, session.fileScan)
        defer { fileScan?.wait() }
        do {
            // No reference to the session stays here, so that the work can release it part by part.
            return try work(consume session)
        } catch {
            // A ledger that is open is never renamed.
            if error.isDamage {
                fileScan?.wait()
                ledger.close()
            }
            throw error
        }
    }

    /// - Throws: `GalleryError.storage` if the state folder can't be read or written.
    func open() throws(GalleryError) -> LedgerSession {
        if let problem = try unusable() { try setAside(because: problem) }
        do {
            return try read()
        } catch .unreadable(_, let detail) {
            try setAside(because: detail)
        } catch {
            throw GalleryError(error)
        }
        do {
            return try read()
        } catch {
            throw GalleryError(error)
        }
    }

    private func read() throws(LedgerError) -> LedgerSession {
        shareWithGroup()
        let journal: JournalMode = FileSystemKind.isShared(state.path) ? .rollback : .writeAhead
        let ledger = try Ledger(path: state.ledger, identity: identity, journal: journal)
        let site = try ledger.site(output: output, withFiles: false)
        func scan() -> BackgroundTask<PublishedFiles>? {
            guard let fileScan, site != nil else { return nil }
            return BackgroundTask { () throws(GalleryError) in try fileScan.run(ledger) }
        }
        // With a single connection, the scan would hold up the snapshot.
        let early = ledger.allowsReaders ? scan() : nil
        do {
            let snapshot = try ledger.snapshot()
            return LedgerSession(ledger: ledger, snapshot: snapshot, site: site, fileScan: early ?? scan())
        } catch {
            early?.wait()
            // The ledger may be renamed now, and must not be open then. A thread can still hold it.
            ledger.close()
            throw error
        }
    }

    /// Extends group access of the state folder to the ledger. SQLite gives the journals the mode of the ledger, so the
    /// ledger must have it before it is opened.
    private func shareWithGroup() {
        guard let access = GroupAccess(ofFolderAt: state.path) else { return }
        let made = Foundation.open(state.ledger, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        // If the file can't be created, SQLite reports the reason.
        if made >= 0 { close(made) }
        for file in state.ledgerFiles { access.apply(to: file) }
    }

    /// Finds out why SQLite can't open the file, if a new file can take its place.
    /// - Returns: nil if SQLite should try to open the file.
    private func unusable() throws(GalleryError) -> String? {
        var status = stat()
        guard lstat(state.ledger, &status) == 0 else { return nil }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink, stat(state.ledger, &status) != 0 { return "it is a symbolic link to nothing" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "it is no file" }
        // A new ledger is empty for a moment, but the originals are created after its tables.
        if status.st_size == 0, access(state.originals, F_OK) == 0 { return "it is empty" }
        guard access(state.ledger, R_OK | W_OK) != 0 else { return nil }
        let code = errno
        guard code != EROFS, access(state.path, W_OK | X_OK) == 0 else {
            throw .storage(path: state.ledger, .system(errno: code))
        }
        return systemMessage(code)
    }

    /// Renames the ledger and its journals, which SQLite would otherwise apply to the new ledger.
    private func setAside(because detail: String) throws(GalleryError) {
        let files = FileManager.default
        var kept = state.ledger + ".unreadable"
        var number = 1
        while files.fileExists(atPath: kept) {
            number += 1
            kept = state.ledger + ".unreadable-\(number)"
        }
        do {
            try files.moveItem(atPath: state.ledger, toPath: kept)
            for suffix in ["-wal", "-shm", "-journal"] where files.fileExists(atPath: state.ledger + suffix) {
                try files.moveItem(atPath: state.ledger + suffix, toPath: kept + suffix)
            }
        } catch {
            throw .storage(path: state.ledger, StorageFailure(error, action: "it can't be set aside"))
        }
        warn(
            "the ledger can't be used (\(detail)); it is kept as \(kept). What it remembered is taken from the site "
                + "and the originals, and what these can't prove is done again")
    }
}

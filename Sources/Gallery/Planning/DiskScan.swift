internal import Downloads
internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// Reads the state of the disk once, before a plan is made. It changes nothing.
struct DiskScan: Sendable {
    private let state: StateFolder
    private let output: String
    /// The permissions that all files and folders of the site must have; nil if any permissions are allowed.
    private let permissions: SitePermissions?
    private let files: PublishedFileScan
    private let usesStore: Bool
    private let ledger: Ledger?
    private let snapshot: LedgerSnapshot
    private let site: SiteRow?

    /// - Parameters:
    ///   - ledger: the ledger; nil if there is none.
    ///   - site: the ledger's row of the output folder, without its files; nil if the ledger does not know it.
    init(_ options: BuildOptions, ledger: Ledger?, snapshot: LedgerSnapshot, site: SiteRow?) {
        state = options.state
        output = options.output
        permissions = options.permissions
        files = PublishedFileScan(options)
        usesStore = options.sharing != nil
        self.ledger = ledger
        self.snapshot = snapshot
        self.site = site
    }

    func diskState(for records: [PhotoRecord]) throws(GalleryError) -> DiskState {
        diskState(try completed(scanFiles()).diskState, for: records)
    }

    /// The state of the disk with the local files of a list added.
    func diskState(_ scanned: DiskState, for records: [PhotoRecord]) -> DiskState {
        var diskState = scanned
        diskState.stamps = stamps(records)
        return diskState
    }

    /// The published files; none if the ledger does not know the output folder.
    func scanFiles() throws(GalleryError) -> PublishedFiles {
        guard site != nil, let ledger else { return PublishedFiles() }
        return try files.run(ledger)
    }

    /// The published files with the state of the disk, without the local files of the list.
    func completed(_ files: PublishedFiles) throws(GalleryError) -> PublishedFiles {
        PublishedFiles(diskState: try diskState(files), scanned: files.scanned)
    }

    private func diskState(_ files: PublishedFiles) throws(GalleryError) -> DiskState {
        var diskState = files.diskState
        diskState.originals = try originals()
        do throws(SiteError) {
            let folder = try SiteScan(output: output, permissions: permissions).inspectFolder()
            diskState.hasTemporaryFolders = folder.hasTemporaryFolders
            if folder.differs { diskState.otherPermissions += 1 }
        } catch {
            throw .site(error)
        }
        if site != nil, !diskState.damaged.contains(Self.index), !(try isRecordedIndex()) {
            diskState.damaged.append(Self.index)
        }
        // The pictures of a shared build come from its store.
        if usesStore { return diskState }
        let isAsPublished = site?.revision == snapshot.revision && site?.inputs != nil
        guard !isAsPublished || !diskState.damaged.isEmpty else { return diskState }
        // Published files are missing, or the last state was never published, so each derivative is looked up.
        let published = files.scanned?.intactPaths(PublishedImages.folder) ?? []
        let lost = lost { published.contains(PublishedImages.folder + $0) }
        diskState.lostPictures = lost
        diskState.damaged.removeAll { path in pictureName(path).map(lost.contains) ?? false }
        return diskState
    }

    /// The page that identifies a publication. It shows the time of the site's last change, so no two publications have
    /// the same bytes. If its digest differs from the recorded one, the output folder or the ledger was restored from a
    /// backup.
    private static let index = "index.html"

    private func isRecordedIndex() throws(GalleryError) -> Bool {
        do {
            guard let recorded = try ledger?.file(at: Self.index, output: output)?.digest else { return false }
            let file = output + "/" + Self.index
            // A file that can't be read is rendered again; if it can't be replaced either, publishing reports the
            // error.
            return FileManager.default.contents(atPath: file).map { Digest(of: [UInt8]($0)) } == recorded
        } catch {
            throw GalleryError(error)
        }
    }

    private func originals() throws(GalleryError) -> Set<Digest> {
        do {
            return Set(try OriginalStore(reading: state.originals).digests())
        } catch {
            throw GalleryError(error)
        }
    }

    private func stamps(_ records: [PhotoRecord]) -> [Source.Location: FileStamp] {
        var stamps: [Source.Location: FileStamp] = [:]
        for record in records {
            guard let location = record.source?.location, case .file(let path) = location, stamps[location] == nil
            else { continue }
            stamps[location] = FileStamp(ofFileAt: path)
        }
        return stamps
    }

    /// The derivatives that the ledger knows and that are neither in the output folder nor in the state folder.
    /// - Parameter isPublished: whether the output folder has a derivative.
    private func lost(isPublished: (String) -> Bool) -> Set<String> {
        var lost: Set<String> = []
        for photo in snapshot.photos.values {
            for picture in photo.pictures where !isPublished(picture.fileName) {
                let path = state.derivatives + "/" + picture.fileName
                if DerivativeCache.size(of: path) != picture.bytes || hasZeroedBlock(path) {
                    lost.insert(picture.fileName)
                }
            }
        }
        return lost
    }
}

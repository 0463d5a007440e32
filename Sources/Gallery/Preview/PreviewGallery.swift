internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Site

/// One reading of a gallery in a preview: its list and settings, the records of its photos, and the operations that
/// work on them. When the list or the settings change, another one takes its place.
final class PreviewGallery: Sendable {
    let options: BuildOptions
    let records: [PhotoRecord]
    /// The indices of the photos in the list, by slug.
    let indicesBySlug: [String: Int]
    /// Whether each photo needs work before its picture is the one that the list and the settings ask for.
    let isMissing: [Bool]
    /// The local files that the list names.
    let files: Set<String>
    /// The warnings about the list.
    let remarks: [String]
    /// The list and its files as they were read.
    let reading: Reading
    let list: PreviewList
    private let albumSlugs: [AlbumIdentity: String]
    private let originals: [Digest: OriginalRow]
    private let store: OriginalStore
    private let buildOriginals: OriginalStore
    private let downloader: Downloader
    private let derivatives: DerivativeCache
    private let services: BuildServices
    private let operations: PendingOperations

    /// The parts of a gallery that come from local files. If they are equal, no file has changed.
    struct Reading: Hashable {
        /// The bytes of the manifests; nil for each with a URL, whose changes are seen when it is requested again.
        let manifests: [[UInt8]?]
        let stamps: [Source.Location: FileStamp]

        /// - Throws: `GalleryError.manifestUnreachable`.
        init(_ options: BuildOptions, files: Set<String>) throws(GalleryError) {
            manifests = try ManifestInput.localBytes(of: options.manifests)
            stamps = Self.stamps(files)
        }

        fileprivate init(manifests: [[UInt8]?], files: Set<String>) {
            self.manifests = manifests
            stamps = Self.stamps(files)
        }

        private static func stamps(_ files: Set<String>) -> [Source.Location: FileStamp] {
            var stamps: [Source.Location: FileStamp] = [:]
            for path in files { stamps[.file(path)] = FileStamp(ofFileAt: path) }
            return stamps
        }
    }

    /// - Parameters:
    ///   - ledger: the preview's own ledger.
    ///   - start: the start of the preview in seconds since 1970. A remote photo that has failed since then is not
    ///     requested again only because the list has changed.
    init(
        _ options: BuildOptions, _ list: PreviewList, ledger: Ledger, start: Int64, warn: (String) -> Void
    ) throws(GalleryError) {
        self.options = options
        let state = options.state.preview
        store = try OriginalStore.opening(state.originals)
        buildOriginals = OriginalStore(reading: options.state.originals)
        downloader = try Downloader.starting(store, options: options)
        let snapshot = try LedgerSnapshot.ofPreview(ledger, options, warn: warn)
        let photos = list.photos
        downloader.treatAsLocallyListed(photos.locallyListed, at: options.allowsPrivate ? photos.atNamedServers : [:])
        records = photos.records(
            options: options.derivatives, snapshot: snapshot, keys: list.keys, expectedChange: options.expectedChange,
            accepted: options.accepted, versions: options.versions)
        indicesBySlug = Dictionary(records.enumerated().map { ($1.slug, $0) }) { first, _ in first }
        files = Set(records.lazy.compactMap { record in record.source?.filePath })
        reading = Reading(manifests: list.local, files: files)
        remarks = photos.manifest.warnings.map(\.description)
        albumSlugs = photos.albumSlugs(snapshot: snapshot)
        self.list = list
        originals = snapshot.originals

        var diskState: DiskState
        do {
            diskState = DiskState(originals: Set(try store.digests()).union(try buildOriginals.digests()))
        } catch {
            throw GalleryError(error)
        }
        diskState.stamps = reading.stamps
        let planner = PhotoPlanner(
            snapshot: snapshot, diskState: diskState, maxAge: options.maxAge, realNow: options.realNow,
            now: options.now.seconds, isForced: options.isForced)
        isMissing = records.map { record in
            let plan = planner.photoPlan(on: record)
            // The next build asks for pictures that may have changed.
            if plan.needsNoOperation || plan.isRevalidationOnly { return false }
            guard plan.renderReasons.isEmpty, record.source?.isRemote ?? true, let row = record.remembered
            else { return true }
            switch plan.fetchReason {
            case .failed, .stale, .mirrored, .archived, .unusable: return row.checked < start
            default: return true
            }
        }
        derivatives = DerivativeCache(
            folder: state.derivatives, published: options.picturesFolder, snapshot: snapshot)
        services = BuildServices(
            store: store, downloader: downloader, derivatives: derivatives, ledger: ledger, snapshot: snapshot,
            budget: MemoryBudget(limit: options.memory), now: options.now.seconds, isForced: options.isForced,
            archive: options.archive)
        operations = PendingOperations(services: services, jobs: options.jobs)
    }

    /// The error that has stopped all work; nil if none has.
    var failure: GalleryError? { services.failure }

    func whenStopped(_ action: @escaping @Sendable () -> Void) {
        // The operations own the services.
        services.whenStopped { [weak operations] in
            operations?.cancelAll()
            action()
        }
    }

    // MARK: Work

    /// Begins the work for a photo. Returns when its request, if there is one, is in the queue of transfers, so that no
    /// later request overtakes it.
    /// - Parameter whenDone: a closure that is called when the work has ended, with whether it is complete.
    func begin(_ index: Int, whenDone: @escaping @Sendable (Bool) -> Void) throws(GalleryError) -> PhotoOperationPair {
        let record = records[index]
        record.reset()
        try linkBuildOriginals(of: record)
        let pair = operations.add(record) { [services] in
            let progress = record.progress
            let isDone = !progress.pictures.isEmpty || progress.state == .failed
            if isDone { services.finalize(record) } else { record.reset() }
            whenDone(isDone)
        }
        operations.waitUntilRequested()
        return pair
    }

    /// Links the originals that the photo may need from the store of builds, which can remove them at any time.
    private func linkBuildOriginals(of record: PhotoRecord) throws(GalleryError) {
        let remembered = record.sources.compactMap { services.rememberedOriginal(of: $0) }
        do {
            for digest in Set(remembered + [record.remembered?.sha256].compactMap(\.self)) {
                _ = try store.adopt(digest, from: buildOriginals)
            }
        } catch {
            throw GalleryError(error)
        }
    }

    /// Looks for the pictures of a photo that seemed complete, because a build can have removed them.
    /// - Returns: whether some are lost. They are rendered by the next work for the photo.
    func hasLostPictures(_ index: Int) -> Bool {
        let names = records[index].shownRow(now: options.now.seconds).pictures.map(\.fileName)
        let lost = names.filter { picture($0) == nil }
        for name in lost { derivatives.forget(name) }
        return !lost.isEmpty
    }

    /// Ends all work. Returns when nothing runs any more and the ledger has all results.
    func end() {
        operations.cancelAll()
        operations.finish()
        downloader.shutdown()
    }

    // MARK: Pages

    /// The content of the site as it is now.
    func content(_ shown: BuildOptions) -> SiteContent {
        SiteContent(
            settings: shown.siteSettings(list.photos), albums: list.photos.siteAlbums(albumSlugs),
            photos: SitePhotos(count: records.count) { [self] in photo($0, shown) }, updated: options.now)
    }

    /// A photo as its pages show it now.
    /// - Parameter shown: the options of the pages, which can have changed since the list was read.
    func photo(_ index: Int, _ shown: BuildOptions) -> SitePhoto {
        let record = records[index]
        let row = record.shownRow(now: options.now.seconds)
        return shown.sitePhoto(record, row, originals)
    }

    /// The path of a derivative on the disk; nil if there is none.
    func picture(_ name: String) -> String? {
        [options.state.preview.derivatives, options.picturesFolder, options.state.derivatives]
            .lazy.map { $0 + "/" + name }.first { FileManager.default.fileExists(atPath: $0) }
    }
}

extension Source {
    fileprivate var filePath: String? { if case .file(let path) = location { path } else { nil } }
}

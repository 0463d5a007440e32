internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Site
internal import Synchronization

/// What a build tells while it goes on; may be called from any thread.
package enum BuildEvent: Sendable {
    case warning(String)
    /// The list is read: so many photos.
    case began(total: Int)
    /// A photo's operations have ended.
    case finished(name: String)
}

/// One build: the list, its downloads and filters, and the site that comes of them.
package final class Build: Sendable {
    private let options: BuildOptions
    private let tell: @Sendable (BuildEvent) -> Void
    /// What `cancel()` and its like have to reach.
    private let running = Mutex(Running())

    private struct Running {
        var downloader: Downloader?
        var operations: PendingOperations?
    }
    private let cancelled = Mutex(false)

    package init(_ options: BuildOptions, tell: @escaping @Sendable (BuildEvent) -> Void) {
        self.options = options
        self.tell = tell
    }

    /// Brings the site up to date. On any error the site is what it was before.
    package func run() throws(GalleryError) -> BuildReport {
        let state = options.state
        try state.create()
        let lock = try StateLock(path: state.lock, holder: options.lockHolder)
        defer { lock.release() }
        let (ledger, snapshot) = try LedgerOpening(state: state, warn: warn).open()
        let (store, downloader) = try openDownloads()
        defer { downloader.shutdown() }
        let list = try readList(downloader, store, ledger, snapshot)
        let site = try remembered(ledger)
        let derivatives = try DerivativeCache(
            folder: state.derivatives, published: published(site), remembered: remembered(snapshot))
        let workshop = Workshop(
            store: store, downloader: downloader, derivatives: derivatives, ledger: ledger, snapshot: snapshot,
            now: options.now.seconds)
        let records = list.records(options: options.derivatives, snapshot: snapshot)
        let publication = Publication(
            options: options, list: list, albumSlugs: list.albumSlugs(snapshot: snapshot), records: records,
            ledger: ledger, derivatives: derivatives, remembered: site,
            rememberedPhotos: snapshot.photos)
        let result = try work(records, then: publication, in: workshop)
        return BuildReport(
            records: records, developed: workshop.developed, transfers: downloader.statistics, publication: result)
    }

    /// Ends the build within two seconds; what is finished is kept. May come at any time, from any thread.
    package func cancel() {
        cancelled.withLock { $0 = true }
        let running = running.withLock { $0 }
        running.operations?.cancelAll()
        running.downloader?.cancelAll()
    }

    /// Nothing new starts until `resume()`.
    package func suspend() { running.withLock { $0 }.operations?.suspend() }

    package func resume() { running.withLock { $0 }.operations?.resume() }

    /// Runs the operations of every photo, and publishes when all have ended.
    private func work(
        _ records: [PhotoRecord], then publication: Publication, in workshop: Workshop
    ) throws(GalleryError) -> PublicationResult {
        let operations = PendingOperations(workshop: workshop, jobs: options.jobs)
        let publish = PublishOperation(publication: publication, workshop: workshop)
        workshop.whenStopped { operations.cancelAll() }
        running.withLock { $0.operations = operations }
        tell(.began(total: records.count))
        for record in records where !isCancelled {
            operations.add(record) { [tell] in tell(.finished(name: record.photo.name)) }
        }
        operations.addLast(publish)
        // cancel() may have come before there was anything to cancel.
        if isCancelled { operations.cancelAll() }
        operations.waitUntilAllAreFinished()
        running.withLock { $0.operations = nil }
        if let failure = workshop.failure { throw failure }
        guard let result = publish.result else { throw .interrupted }
        return result
    }

    private var isCancelled: Bool { cancelled.withLock { $0 } }

    private func warn(_ text: String) { tell(.warning(text)) }

    private func openDownloads() throws(GalleryError) -> (OriginalStore, Downloader) {
        let store = try OriginalStore.opening(options.state.originals)
        do {
            try store.removeAbandonedFiles()
        } catch {
            throw GalleryError(error)
        }
        let downloader = try Downloader.starting(store, options: options)
        running.withLock { $0.downloader = downloader }
        return (store, downloader)
    }

    private func readList(
        _ downloader: Downloader, _ store: OriginalStore, _ ledger: Ledger, _ snapshot: LedgerSnapshot
    ) throws(GalleryError) -> PhotoList {
        let fetch = ManifestFetch(
            downloader: downloader, store: store, ledger: ledger, snapshot: snapshot, warn: warn,
            isCancelled: { self.isCancelled })
        let list = try PhotoList(try fetch.read(options.manifests), allowsEmpty: options.allowsEmpty)
        for warning in list.manifest.warnings { warn(warning.description) }
        return list
    }

    private func remembered(_ ledger: Ledger) throws(GalleryError) -> SiteRow? {
        do {
            return try ledger.site(output: options.output)
        } catch {
            throw GalleryError(error)
        }
    }

    /// File name → bytes of the derivatives that the ledger knows, wherever they stand.
    private func remembered(_ snapshot: LedgerSnapshot) -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        for photo in snapshot.photos.values {
            for picture in photo.pictures { sizes[picture.fileName] = picture.bytes }
        }
        return sizes
    }

    /// File name → bytes of the derivatives of ours that stand in the output folder.
    private func published(_ site: SiteRow?) -> [String: Int64] {
        guard let site else { return [:] }
        // A folder that is not there, or cannot be listed, holds none; publishing will say what is wrong with it.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: options.output + "/images")) ?? []
        var sizes: [String: Int64] = [:]
        for name in names { sizes[name] = site.owned["images/" + name]?.bytes }
        return sizes
    }
}

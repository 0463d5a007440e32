internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Site
internal import Synchronization

/// One build of a gallery: reads the list, plans the work, downloads, filters, and publishes the site.
package final class Build: CancellableBuild {
    /// The options. They are resolved again after a wait for another build.
    private let resolved: Mutex<BuildOptions>
    private let reread: (@Sendable () throws -> BuildOptions)?
    private let emit: @Sendable (BuildEvent) -> Void
    private let controls = BuildControls()
    private let commitState = CommitState()
    private let unreleased = UnreleasedValues()

    /// - Parameter reread: a closure that resolves the options again after a wait for another build, because the
    ///   settings, the clock and the files that they were made from can have changed. An error that it throws ends the
    ///   build as `GalleryError.options`.
    package init(
        _ options: BuildOptions, rereading reread: (@Sendable () throws -> BuildOptions)? = nil,
        emit: @escaping @Sendable (BuildEvent) -> Void
    ) {
        resolved = Mutex(options)
        self.reread = reread
        self.emit = emit
    }

    private var options: BuildOptions { resolved.withLock { $0 } }

    /// Brings the site up to date. On any error the site is what it was before.
    package func run() throws(GalleryError) -> BuildReport {
        let locks = try lock()
        defer { locks.release() }
        // The manifests are read after the locks are taken, because another build that held them might have published
        // newer ones.
        var reading: ManifestLoader? = try ManifestLoader(options, isCancelled: { self.isCancelled })
        let opening = LedgerOpening(
            state: options.state, identity: options.identity, output: options.output,
            fileScan: PublishedFileScan(options), warn: warn)
        return try opening.use { (session: consuming LedgerSession) throws(GalleryError) in
            // A damaged ledger runs this closure a second time, and setting the ledger aside takes time.
            if isCancelled { throw .interrupted }
            // The first run may have found the damage after its commit.
            commitState.end()
            // The manifest is read in the background only once; a second run of this closure reads it again.
            let first =
                if let reading { reading } else { try ManifestLoader(options, isCancelled: { self.isCancelled }) }
            reading = nil
            return try build(consume first, locks, consume session)
        }
    }

    /// Takes the locks of the state folder and of the output folder. The options that were resolved before only tell
    /// which folders these are.
    private func lock() throws(GalleryError) -> GalleryLocks {
        let deadline = ContinuousClock.now + options.wait
        while true {
            let options = options
            let folders = try options.checkManifestsAndFolders()
            if try options.state.create(), folders.containsState { emit(.remark(folders.remark)) }
            let hasWaited = Atomic(false)
            let lockWait = FolderLock.LockWait(
                until: deadline,
                began: { [emit] in
                    hasWaited.store(true, ordering: .relaxed)
                    emit(.waiting($0))
                }, isCancelled: { self.isCancelled })
            let locks = try GalleryLocks(
                state: options.state, output: options.output, createsOutput: true, permissions: options.permissions,
                holder: options.lockHolder, lockWait: lockWait)
            guard hasWaited.load(ordering: .relaxed), let reread else { return locks }
            let current: BuildOptions
            do {
                current = try reread()
            } catch {
                locks.release()
                throw .options(error)
            }
            resolved.withLock { $0 = current }
            let isLocked = (current.state.path, current.output) == (options.state.path, options.output)
            if isLocked { return locks }
            locks.release()
        }
    }

    private func build(
        _ reading: consuming ManifestLoader, _ locks: GalleryLocks, _ session: consuming LedgerSession
    ) throws(GalleryError) -> BuildReport {
        let state = options.state
        var session = consume session
        try session.refuseForeignSite(in: options.output)
        // Temporary files are removed before anything is written: if the disk is full, they might be the cause. Files
        // that can't be removed now are tried again, and reported, after the site is published.
        if locks.holdsOutput { try? SiteScan.removeTemporaryFolders(in: options.output) }
        let (store, downloader) = try openDownloads()
        defer { downloader.shutdown() }
        // This comes before the scan, which looks for originals, and after files of a killed build were removed.
        var preview = PreviewAdoption(options)
        try preview?.run(&session, warn: warn)
        let scanning = beginDiskScan(session)
        // The background scan reads the ledger, so it must have ended before an error closes the ledger.
        defer { scanning?.wait() }
        let (list, keys, inputs) = try readList(consume reading, downloader, store, session)
        // With --allow-private, a list from a URL may refer to its own server, even a private one, because the user
        // named it.
        downloader.treatAsLocallyListed(list.locallyListed, at: options.allowsPrivate ? list.atNamedServers : [:])
        let results = try readResults(of: list, keys)
        if let results { try session.add(results) }
        let isRecovered = try session.recover(list, from: options.output)
        let records = list.records(
            options: options.derivatives, snapshot: session.snapshot, keys: keys,
            expectedChange: options.expectedChange, accepted: options.accepted, versions: options.versions)
        for warning in options.accepted.warnings(records) { emit(.remark(warning)) }
        if let warning = options.ratings.unknownPhotosWarning(slugs: records.lazy.map(\.slug)) {
            emit(.remark(warning))
        }
        let lastPublished = session.lastPublished
        if let results {
            try apply(results, to: records, publishedBefore: lastPublished != nil, session.snapshot)
        }
        let early = beginEarlyRevalidations(records, session, downloader)
        // Partial derivatives of an earlier build are removed while the plan is made, because this is slow in large
        // galleries. It must have ended before operations write others, or before another build can.
        let cleaning = BackgroundTask { [folder = options.state.derivatives] in
            DerivativeCache.removeTemporaryFiles(in: folder)
        }
        defer { cleaning.wait() }
        // The background scan started before `recover` found photos that only the published site knew.
        let (plan, scanned) = try plan(records, inputs, session, isRecovered ? nil : scanning)
        cleaning.wait()
        emit(.planned(PlanReport(records: records, plan: plan)))
        if plan.isNothing && !plan.mustUpdateRows {
            session.ledger.close()
            preview?.end()
            var report = BuildReport(unchanged: records, lastPublished: lastPublished, now: options.now.seconds)
            report.title = options.siteSettings(list).title
            unreleased.keep(records, session.snapshot, list, plan, scanned)
            return report
        }
        // With much work to do, the scan would be too old when the site is published, and take up memory until then.
        if plan.photos.count(where: { !$0.needsNoOperation }) > Plan.smallWork { scanned?.discard() }
        let isSmall = plan.isSmall
        let needMemory: @Sendable () -> Void = { [emit] in emit(.needsMemory) }
        if !isSmall { needMemory() }
        let sources = session.takeSources()
        let derivatives = DerivativeCache(
            folder: state.derivatives, published: options.picturesFolder, snapshot: session.snapshot,
            retained: plan.retainedPictures.merging(preview?.pictures ?? [:]) { retained, _ in retained })
        let services = BuildServices(
            store: store, downloader: downloader, derivatives: derivatives, ledger: session.ledger,
            snapshot: session.snapshot, sources: consume sources, budget: MemoryBudget(limit: options.memory),
            now: options.now.seconds, isForced: options.isForced, archive: options.archive,
            needMemory: isSmall ? needMemory : nil)
        let removed = options.listsChanges ? session.removedPhotos(records) : []
        let unlisted = session.discardPhotos(of: records)
        let publication = Publication(
            options: options, list: list, albumSlugs: list.albumSlugs(snapshot: session.snapshot), records: records,
            session: session, scanned: scanned, unlisted: unlisted, derivatives: derivatives, plan: plan,
            inputs: inputs, commitState: commitState)
        var result = try runOperations(of: records, plan, early, then: publication, in: services)
        session.ledger.close()
        preview?.end()
        // The report can outlive the build.
        unreleased.keep(result.table)
        result.table = ()
        for warning in result.warnings { warn(warning) }
        var report = BuildReport(
            records: records, rendered: services.renderer.rendered, transfers: downloader.statistics,
            publication: result, lastPublished: lastPublished, now: options.now.seconds)
        report.title = publication.title
        if options.listsChanges {
            report.changes = records.compactMap { $0.change(now: options.now.seconds) } + removed
        }
        unreleased.keep(publication, services)
        return report
    }

    package func cancel() { controls.cancel() }

    package var isCommitting: Bool { commitState.isCommitting }

    package var slowest: SlowWork? { controls.slowest }

    package func suspend() { controls.suspend() }

    package func resume() { controls.resume() }

    /// Starts to read the state of the disk while the list is read. Returns nil if the ledger does not know the site.
    private func beginDiskScan(_ session: LedgerSession) -> BackgroundTask<PublishedFiles>? {
        guard let fileScan = session.fileScan else { return nil }
        return BackgroundTask { [diskScan = diskScan(session)] () throws(GalleryError) in
            try diskScan.completed(fileScan.value())
        }
    }

    /// Requests the addresses of the first photos while the rest of the plan is made.
    private func beginEarlyRevalidations(
        _ records: [PhotoRecord], _ session: LedgerSession, _ downloader: Downloader
    ) -> [EarlyRevalidation?] {
        // The site of several workers is made from what they have found out. No photo is requested.
        guard !isCancelled, options.sharing == nil else {
            return [EarlyRevalidation?](repeating: nil, count: records.count)
        }
        let planner = PhotoPlanner(
            snapshot: session.snapshot, diskState: DiskState(), maxAge: options.maxAge, realNow: options.realNow,
            now: options.now.seconds, isForced: options.isForced)
        let early = EarlyRevalidation.begin(records, planner: planner, downloader: downloader)
        // `cancel()` might have been called since the check above.
        if isCancelled { downloader.cancelAll() }
        return early
    }

    /// The results of all shards; nil for a build without a store.
    private func readResults(of list: PhotoList, _ keys: LedgerKeys) throws(GalleryError) -> CollectedResults? {
        guard let sharing = options.sharing else { return nil }
        return try CollectedResults(options, sharing, list, keys, isCancelled: { [controls] in controls.isCancelled })
    }

    /// Ends all photos with the results of the shards, after their pictures are on this machine.
    /// - Throws: `GalleryError.noResults` if no photo has a picture now, although the published site has pictures.
    private func apply(
        _ results: CollectedResults, to records: [PhotoRecord], publishedBefore isPublished: Bool,
        _ snapshot: LedgerSnapshot
    ) throws(GalleryError) {
        let lost = try results.fetchPictures(of: records, isPublished: isPublished)
        if !lost.isEmpty {
            warn(
                "the store lacks \(counted(lost.count, "picture")) or has damaged ones, such as "
                    + "images/\(lost.min() ?? ""). Their photos count as not done. Remove damaged pictures from the "
                    + "store, and run the shards again with --force")
        }
        results.end(records) { photo in !photo.photo.pictures.contains { lost.contains($0.fileName) } }
        let undone = records.count { $0.row(now: options.now.seconds).state == .new }
        let wouldEmpty = undone == records.count && snapshot.photos.values.contains { !$0.pictures.isEmpty }
        guard !wouldEmpty || options.allowsEmpty else { throw .noResults(shown: results.shown) }
        if undone > 0 {
            emit(
                .remark(
                    "\(counted(undone, "photo")) of the list \(undone == 1 ? "has" : "have") no result in "
                        + "\(results.shown); "
                        + "run the shards again. `gallerygen shards` shows which ones are missing"))
        }
    }

    private func plan(
        _ records: [PhotoRecord], _ inputs: SiteInputs, _ session: LedgerSession,
        _ scanning: BackgroundTask<PublishedFiles>?
    ) throws(GalleryError) -> (Plan, ScannedFiles?) {
        let diskScan = diskScan(session)
        let files = if let scanning { try scanning.value() } else { try diskScan.completed(diskScan.scanFiles()) }
        let plan = Plan(
            records: records, inputs: inputs, snapshot: session.snapshot, site: session.site,
            diskState: diskScan.diskState(files.diskState, for: records), options: options)
        return (plan, files.scanned)
    }

    /// Runs the operations of every photo that needs any, and publishes when all have ended.
    private func runOperations(
        of records: [PhotoRecord], _ plan: Plan, _ early: [EarlyRevalidation?], then publication: Publication,
        in services: BuildServices
    ) throws(GalleryError) -> PublicationResult {
        let (now, usesStore) = (options.now.seconds, options.sharing != nil)
        let operations = PendingOperations(services: services, jobs: options.jobs)
        let live = try options.isLive && plan.willChangePicture ? beginLivePublication(publication, in: services) : nil
        let publish = PublishOperation(publication: publication, live: live, services: services)
        controls.update { ($0.operations, $0.live) = (operations, live) }
        emit(.began(total: records.count, unchanged: plan.photos.count(where: \.isNothing)))
        for ((record, photoPlan), early) in zip(zip(records, plan.photos), early)
        where !isCancelled && !operations.isCancelled {
            if usesStore {
                guard !photoPlan.isNothing else { continue }
                emit(.finished { FinishedPhoto(record, record.progress, now: now) })
                continue
            }
            if photoPlan.needsNoOperation {
                record.markUnchanged(wasRequested: false)
                guard !photoPlan.isNothing else { continue }
                emit(.finished { FinishedPhoto(record, record.progress, now: now) })
                live?.show(record)
                continue
            }
            operations.waitForSlot()
            if isCancelled || operations.isCancelled { break }
            let whenDone: @Sendable () -> Void = { [self] in
                let progress = record.progress
                if let problem = progress.profileProblem {
                    emit(.remark("\(record.photo.position): '\(record.photo.name)': \(problem)"))
                }
                services.finalize(record)
                emit(.finished { FinishedPhoto(record, progress, now: now) })
                // A photo ended by a build error has no picture to show. A replaced one is shown at the end
                // (`ReplacementCheck`).
                if !isCancelled, services.failure == nil, record.replacement == nil { live?.show(record) }
                operations.releaseSlot()
            }
            if photoPlan.isRevalidationOnly {
                operations.revalidate(record, early, whenDone: whenDone)
            } else {
                operations.add(record, whenDone: whenDone)
            }
        }
        // `cancel()` might have been called before the operations existed, or before the last request was sent.
        if isCancelled || operations.isCancelled { operations.cancelAll() }
        operations.finish(with: publish)
        controls.update { ($0.operations, $0.live) = (nil, nil) }
        if publish.result == nil { live?.cancel(after: services.failure) }
        if let failure = services.failure { throw failure }
        guard let result = publish.result else { throw .interrupted }
        return result
    }

    /// Publishes the pages now, and each photo as soon as it is done.
    private func beginLivePublication(
        _ publication: Publication, in services: BuildServices
    ) throws(GalleryError) -> LivePublication {
        try LivePublication(
            publication, isCancelled: { self.isCancelled }, stop: { [services] in services.stop($0) })
    }

    private var isCancelled: Bool { controls.isCancelled }

    private func warn(_ text: String) { emit(.warning(text)) }

    private func openDownloads() throws(GalleryError) -> (OriginalStore, Downloader) {
        let (store, downloader) = try Downloader.opening(options)
        controls.update { $0.downloader = downloader }
        return (store, downloader)
    }

    private func diskScan(_ session: LedgerSession) -> DiskScan {
        DiskScan(options, ledger: session.ledger, snapshot: session.snapshot, site: session.site)
    }

    /// Reads the manifests. The `ManifestFetch`, which holds a copy of the snapshot, is released on return.
    private func readList(
        _ reading: consuming ManifestLoader, _ downloader: Downloader, _ store: OriginalStore, _ session: LedgerSession
    ) throws(GalleryError) -> (PhotoList, LedgerKeys, SiteInputs) {
        let fetch = ManifestFetch(
            downloader: downloader, store: store, snapshot: session.snapshot, warn: warn,
            isCancelled: { self.isCancelled })
        let (list, keys, inputs) = try reading.finish(fetch, recordingIn: session.ledger)
        for remark in list.manifest.warnings { emit(.remark(remark.description)) }
        return (list, keys, inputs)
    }
}

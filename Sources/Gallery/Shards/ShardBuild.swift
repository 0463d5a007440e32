internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import ObjectStore
internal import PhotoModel
internal import Site

/// The part of one worker in a build that several machines share: downloads and filters the photos of a shard, and puts
/// the results into the store. It publishes nothing.
package final class ShardBuild: CancellableBuild {
    private let options: BuildOptions
    /// The state folder of the gallery, in which the shard has one of its own.
    private let galleryState: StateFolder
    private let sharing: SharingOptions
    private let shard: Shard
    private let emit: @Sendable (BuildEvent) -> Void
    private let controls = BuildControls()

    /// - Returns: nil if the options name no shard.
    package init?(_ options: BuildOptions, emit: @escaping @Sendable (BuildEvent) -> Void) {
        guard let sharing = options.sharing, let shard = sharing.shard else { return nil }
        galleryState = options.state
        var own = options
        own.state = options.state.shard(shard)
        (self.options, self.sharing, self.shard, self.emit) = (own, sharing, shard, emit)
    }

    package func cancel() { controls.cancel() }
    package func suspend() { controls.suspend() }
    package func resume() { controls.resume() }
    /// A shard publishes no site.
    package var isCommitting: Bool { false }
    package var slowest: SlowWork? { controls.slowest }

    private var isCancelled: Bool { controls.isCancelled }

    /// Does what is left of the shard. What was done before stays in the store on any error.
    package func run() throws(GalleryError) -> BuildReport {
        for manifest in options.manifests { try manifest.checkExists() }
        try sharing.check(output: options.output, state: galleryState)
        let results = try sharing.results(isCancelled: { [controls] in controls.isCancelled })
        try options.state.create()
        let wait = FolderLock.LockWait(
            until: ContinuousClock.now + options.wait, began: { [emit] in emit(.waiting($0)) },
            isCancelled: { [controls] in controls.isCancelled })
        let lock = try FolderLock(path: options.state.lock, holder: options.lockHolder, lockWait: wait)
        let opening = LedgerOpening(
            state: options.state, identity: options.identity, output: options.output,
            warn: { self.emit(.warning($0)) })
        let report = try opening.use { (session: consuming LedgerSession) throws(GalleryError) in
            try build(consume session, results)
        }
        // An error releases the lock as well.
        lock.release()
        return report
    }

    private func build(
        _ session: consuming LedgerSession, _ results: ResultStore
    ) throws(GalleryError) -> BuildReport {
        var session = consume session
        let (store, downloader) = try Downloader.opening(options)
        controls.update { $0.downloader = downloader }
        defer { downloader.shutdown() }
        let reading = try ManifestLoader(options, isCancelled: { [controls] in controls.isCancelled })
        let fetch = ManifestFetch(
            downloader: downloader, store: store, snapshot: session.snapshot, warn: { self.emit(.warning($0)) },
            isCancelled: { [controls] in controls.isCancelled })
        let (list, keys, _) = try (consume reading).finish(fetch, recordingIn: session.ledger)
        downloader.treatAsLocallyListed(list.locallyListed, at: options.allowsPrivate ? list.atNamedServers : [:])
        for remark in list.manifest.warnings { emit(.remark(remark.description)) }
        let members = list.membership(in: shard, by: sharing.key, keys)
        let identity = list.identity(by: sharing.key, options: options.derivatives, keys)
        let completion = try results.completions(ofList: identity).first { $0.shard == shard }
        let recorded = try photos(of: completion, in: results)
        let known = try known(to: results, recorded, of: list, keys, members)
        session.snapshot.add(known.values)
        let records = list.records(
            options: options.derivatives, snapshot: session.snapshot, keys: keys,
            expectedChange: options.expectedChange, accepted: options.accepted, versions: options.versions,
            members: members)
        var mirrored: [Digest: StoredPhoto] = [:]
        for record in records {
            guard let photo = known[record.key], isDone(record, photo) else { continue }
            // A pinned picture is right at any address.
            if photo.photo.source == record.sourceKey || record.photo.pinned != nil {
                end(record, as: photo)
            } else {
                mirrored[record.key] = photo
            }
        }
        let left = records.filter { !$0.hasEnded }
        let derivatives = DerivativeCache(
            folder: options.state.derivatives, published: nil, snapshot: session.snapshot,
            shared: known.values.flatMap { $0.photo.pictures.map { $0.fileName } })
        let services = BuildServices(
            store: store, downloader: downloader, derivatives: derivatives, ledger: session.ledger,
            snapshot: session.snapshot, budget: MemoryBudget(limit: options.memory), now: options.now.seconds,
            isForced: options.isForced, archive: options.archive)
        let upload = ResultUpload(
            results, records: left, known: known, snapshot: session.snapshot, services: services,
            derivatives: derivatives, storesOriginals: sharing.storesOriginals)
        emit(.began(total: records.count, unchanged: records.count - left.count))
        try work(left, known, mirrored, upload, services)
        let uploaded = upload.uploaded
        let photos = records.compactMap { uploaded[$0.key] ?? known[$0.key] }
        guard photos.count == records.count else { throw .bug("a photo of the shard has no result") }
        // The site is made of the shard's record, so that has to have all news, whichever run has found them out.
        let hasNews = photos.contains { photo in recorded[photo.photo.key].map { photo.isNews(after: $0) } ?? true }
        // The times of requests are recorded only if a later run counts from them.
        if completion == nil || hasNews || downloader.options.maxAge.countsFromLastCheck && !uploaded.isEmpty {
            try results.record(
                photos, of: shard, inList: identity, after: completion, now: options.now.seconds)
        }
        session.ledger.close()
        DerivativeCache.removeFiles(in: options.state.derivatives, except: [])
        upload.removeOriginals()
        // A worker publishes nothing, so what is new is what has changed in this run.
        var report = BuildReport(
            records: records, rendered: services.renderer.rendered, transfers: downloader.statistics,
            publication: PublicationResult(), lastPublished: .max, now: options.now.seconds)
        report.title = options.siteSettings(list).title
        report.shard = BuildReport.ShardWork(shard: shard, store: sharing.shown, worked: left.count)
        return report
    }

    /// The photos of the shard's record, by their ledger keys; empty if the shard is not complete.
    private func photos(
        of completion: ResultStore.Completion?, in results: ResultStore
    ) throws(GalleryError) -> [Digest: StoredPhoto] {
        guard let completion else { return [:] }
        let photos = try results.photos(of: completion)
        return Dictionary(photos.map { ($0.photo.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The results that the store has of the shard's photos: those of its record, and later ones of a run that did not
    /// complete it. A later one that was made for another list or for other settings does not replace one of the record
    /// that was made for these.
    private func known(
        to results: ResultStore, _ recorded: [Digest: StoredPhoto], of list: PhotoList, _ keys: LedgerKeys,
        _ members: [Bool]
    ) throws(GalleryError) -> [Digest: StoredPhoto] {
        let own = Set(zip(keys.photos, members).lazy.filter { $0.1 }.map { $0.0 })
        let later = try results.photos(own, after: recorded.mapValues(\.number))
        guard !later.isEmpty else { return recorded }
        let wanted = WantedResults(list, keys, options.derivatives)
        return recorded.merging(later) { recorded, later in
            wanted.contains(later) || !wanted.contains(recorded) ? later : recorded
        }
    }

    /// Whether nothing is left to do for a photo, except that the first address may have a picture again if a mirror
    /// delivered. The address of a remote photo is asked again only if `--max-age` gives a time, or if a change of its
    /// picture is overdue.
    private func isDone(_ record: PhotoRecord, _ stored: StoredPhoto) -> Bool {
        let (photo, now) = (stored.photo, options.now.seconds)
        guard !options.isForced, stored.isResult(of: record.sourceKey),
            let source = photo.source, record.hasAddress(source), photo.recipe == record.recipeText,
            record.photo.pinned == nil || record.photo.pinned == photo.sha256,
            record.requestReason(at: source, now: now) == nil
        else { return false }
        let address = source == record.sourceKey ? record.source : record.sources.first { $0.rowKey == source }
        if case .file(let path) = address?.location {
            let known = stored.sources.first { $0.key == source }?.fileStamp
            return known != nil && known == FileStamp(ofFileAt: path)
        }
        if case .fixed(let age) = options.maxAge { return now - photo.checked < age.components.seconds }
        return true
    }

    /// Ends a photo with the result that the store has of it.
    private func end(_ record: PhotoRecord, as stored: StoredPhoto) {
        record.end(as: PhotoRow(stored.photo), retryAfter: stored.retryAfter, now: options.now.seconds)
    }

    /// Requests the first address of a photo whose picture came from a mirror. If that address has no picture, the
    /// photo stays as it is, and the mirror is not requested: without the original, which a worker does not keep, the
    /// mirror would send the whole picture in each run.
    /// - Parameters:
    ///   - operate: a closure that is called if the address has a picture. The downloader keeps the answer, so that the
    ///     photo's operations send no second request.
    ///   - whenDone: a closure that is called otherwise.
    private func requestFirstAddress(
        of record: PhotoRecord, _ stored: StoredPhoto, _ services: BuildServices,
        operate: @escaping @Sendable () -> Void, whenDone: @escaping @Sendable () -> Void
    ) {
        guard let source = record.source else { return operate() }
        let conditions = services.conditions(record, at: source)
        // Cancelling the build ends all transfers of the downloader, so no handle is kept.
        _ = services.downloader.fetch(
            source, known: conditions.known, refused: conditions.refused, wait: conditions.wait
        ) { [self] outcome in
            let keep: @Sendable () -> Void = { [self] in
                end(record, as: stored)
                emit(.finished { [options] in FinishedPhoto(record, record.progress, now: options.now.seconds) })
                whenDone()
            }
            switch outcome {
            case .unchanged, .stored: operate()
            case .failed: keep()
            case .refused(let refused): services.remember(refused, at: source.rowKey, then: keep)
            case .postponed(let wait): services.remember(wait, at: source.rowKey, then: keep)
            case .storeFailed(let error):
                services.stop(GalleryError(error))
                whenDone()
            case .cancelled: whenDone()
            }
        }
    }

    /// The original that the store may have, so that the photo can be rendered without a download.
    private func missingOriginal(
        of record: PhotoRecord, _ known: [Digest: StoredPhoto], _ store: OriginalStore
    ) -> Digest? {
        guard sharing.storesOriginals, let original = known[record.key]?.photo.sha256, !store.contains(original)
        else { return nil }
        return original
    }

    /// Runs the operations of the photos that are left, and puts each result into the store.
    /// - Parameter mirrored: the results of the photos for which nothing is left but to request their first addresses.
    private func work(
        _ records: [PhotoRecord], _ known: [Digest: StoredPhoto], _ mirrored: [Digest: StoredPhoto],
        _ upload: ResultUpload, _ services: BuildServices
    ) throws(GalleryError) {
        let now = options.now.seconds
        let threads = try StoreThreads(count: upload.parallelRequests)
        let operations = PendingOperations(services: services, jobs: options.jobs)
        controls.update { $0.operations = operations }
        let fetching = DispatchGroup()
        for record in records where !isCancelled && !operations.isCancelled {
            operations.waitForSlot()
            if isCancelled || operations.isCancelled { break }
            let whenDone: @Sendable () -> Void = { [self] in
                let progress = record.progress
                if let problem = progress.profileProblem {
                    emit(.remark("\(record.photo.position): '\(record.photo.name)': \(problem)"))
                }
                services.finalize(record)
                let result = upload.result(of: record)
                threads.add { [self] in
                    defer { operations.releaseSlot() }
                    guard let result, !isCancelled, services.failure == nil else { return }
                    do throws(GalleryError) {
                        try upload.upload(result, of: record)
                        emit(.finished { FinishedPhoto(record, progress, now: now) })
                    } catch {
                        services.stop(error)
                    }
                }
            }
            let operate: @Sendable () -> Void = {
                upload.begin(record)
                operations.add(record, whenDone: whenDone)
            }
            if let stored = mirrored[record.key] {
                fetching.enter()
                requestFirstAddress(
                    of: record, stored, services,
                    operate: {
                        operate()
                        fetching.leave()
                    },
                    whenDone: {
                        operations.releaseSlot()
                        fetching.leave()
                    })
                continue
            }
            guard let original = missingOriginal(of: record, known, services.store) else {
                operate()
                continue
            }
            fetching.enter()
            threads.add { [self] in
                defer { fetching.leave() }
                do throws(GalleryError) {
                    try upload.fetch(original)
                } catch {
                    services.stop(error)
                }
                if isCancelled || services.failure != nil {
                    operations.releaseSlot()
                } else {
                    operate()
                }
            }
        }
        // A request that began after the build was cancelled would hold up the end.
        if isCancelled || operations.isCancelled { operations.cancelAll() }
        fetching.wait()
        if isCancelled || operations.isCancelled { operations.cancelAll() }
        operations.finish()
        threads.finish()
        controls.update { $0.operations = nil }
        if let failure = services.failure { throw failure }
        if isCancelled { throw .interrupted }
    }
}

internal import Downloads
package import Foundation
internal import Manifest
internal import Synchronization

/// Coordinates the operations of a build: a download and a filter for each photo, and one publication after them.
///
/// A photo takes these steps, each a function below: `add` makes its pair of operations, `start` queues the download,
/// `downloadEnded` queues the estimate of its cost, `beginFilters` queues the filter that `FilterScheduler` chose, and
/// `filterEnded` ends the photo. `finish` queues the publication when no photo is left. A photo that only needs
/// revalidation begins with `revalidate`.
///
/// An operation is added to its queue only when it is ready, because Foundation's queue on Linux loses an operation's
/// place if a later one becomes ready first. A photo's operations are retained until both have ended, because on Linux
/// an operation keeps only unowned references to its dependents. The number of photos with operations is bounded, so
/// that memory does not grow with the gallery.
package final class PendingOperations: Sendable {
    private struct State {
        var photos: [ObjectIdentifier: PhotoOperationPair] = [:]
        var added = 0
        /// The photos whose originals are stored and that wait to be filtered.
        var ready: FilterScheduler<PhotoOperationPair>
        /// The photos that are being filtered, at most one for each job, each with its name and its start.
        var filtering: [ObjectIdentifier: (name: String, began: SuspendingClock.Instant, isLarge: Bool)] = [:]
        var publish: Operation?
        var isCancelled = false
    }

    private let services: BuildServices
    private let jobs: Int
    private let downloads = OrderedOperationQueue(label: "gallerygen.downloads")
    /// Reads the headers of originals, so that `FilterScheduler` knows their cost. The operations of this queue are
    /// never cancelled, because each of them passes a filter on to the next queue.
    private let costEstimation = OperationQueue()
    /// The queue runs operations in the order in which they are added, so each is added when `FilterScheduler` chooses
    /// it. The queue has no limit of its own, because a cancelled operation needs no job in order to end.
    private let filters = OperationQueue()
    private let publication = OperationQueue()
    /// Counts the downloads that the downloader has not queued yet.
    private let unrequested = DispatchGroup()
    private let unfinished = DispatchGroup()
    private let slots = DispatchSemaphore(value: 0)
    private let state: Mutex<State>

    /// - Parameters:
    ///   - jobs: the number of photos filtered at once.
    ///   - slotCount: the number of photos that have operations at once. It is so large that the photos of one slow
    ///     server take long to fill it.
    package init(services: BuildServices, jobs: Int, slots slotCount: Int = 4_096) {
        self.services = services
        self.jobs = jobs
        state = Mutex(State(ready: FilterScheduler(jobs: jobs)))
        // The downloader limits concurrent transfers. A waiting operation blocks no thread.
        downloads.maxConcurrentOperationCount = Int.max
        costEstimation.name = "gallerygen.cost-estimation"
        costEstimation.maxConcurrentOperationCount = 1
        filters.name = "gallerygen.filters"
        filters.maxConcurrentOperationCount = Int.max
        publication.name = "gallerygen.publication"
        // libdispatch traps if a semaphore is destroyed with a lower value than its initial one, which happens in a
        // cancelled build. So the initial value is 0, and the slots are added by signals.
        for _ in 0..<slotCount { slots.signal() }
        services.whenStopped { [weak self] in self?.cancelAll() }
    }

    // MARK: Adding photos

    /// Waits until the limit allows another photo. Must be called before each photo is added, on a thread that belongs
    /// to no queue.
    package func waitForSlot() { slots.wait() }

    /// Must be called once for each slot, when its photo is done.
    package func releaseSlot() { slots.signal() }

    /// Adds a photo's pair of operations. Photos are worked on in the order in which they are added.
    /// - Parameter whenDone: a closure that is called when both operations have ended, on a thread of a queue.
    @discardableResult
    package func add(_ record: PhotoRecord, whenDone: @escaping @Sendable () -> Void = {}) -> PhotoOperationPair {
        unfinished.enter()
        let photo = state.withLock { state in
            state.added += 1
            let photo = PhotoOperationPair(record, position: state.added, services: services, whenDone: whenDone)
            state.photos[ObjectIdentifier(photo)] = photo
            return photo
        }
        // Any number of revalidations can be answered with a new picture.
        if photo.position > Plan.smallWork { services.becomeLarge() }
        start(photo)
        return photo
    }

    /// - Parameter photo: the photo's pair, retained by `state` until its filter has ended.
    private func start(_ photo: PhotoOperationPair) {
        let (download, filter) = (photo.download, photo.filter)
        unrequested.enter()
        download.onBegin { [unrequested] in unrequested.leave() }
        download.completionBlock = { [self, unowned photo] in downloadEnded(photo) }
        filter.completionBlock = { [self, unowned photo] in filterEnded(photo) }
        downloads.addOperation(download)
        // All operations might have been cancelled before this one was in its queue.
        if isCancelled { download.cancel() }
    }

    /// Returns when the downloader has the requests of all photos that were added. Operations begin in order, but on
    /// the thread of their queue, so a caller waits before it sends a request that is no operation. Must be called on a
    /// thread that belongs to no queue of operations.
    package func waitUntilRequested() { unrequested.wait() }

    /// Revalidates a photo that otherwise needs no work, after all requests that were added before. The photo gets its
    /// pair of operations only if the answer is new. Must be called on a thread that belongs to no queue.
    /// - Parameters:
    ///   - early: the request, if it was already sent.
    ///   - whenDone: a closure that is called when it is certain that no pair is needed, or when the pair has ended.
    package func revalidate(
        _ record: PhotoRecord, _ early: EarlyRevalidation? = nil, whenDone: @escaping @Sendable () -> Void = {}
    ) {
        guard let source = record.source else {
            add(record, whenDone: whenDone)
            return
        }
        unfinished.enter()
        let conditions = early?.conditions ?? services.conditions(record, at: source)
        let receive: @Sendable (FetchOutcome) -> Void = { [self] outcome in
            switch outcome {
            case .unchanged(let original) where services.isKnown(original, with: conditions):
                record.markUnchanged(wasRequested: conditions.wasRequested(outcome))
                whenDone()
            case .unchanged(let original) where original.original == conditions.known?.original:
                services.remember(original, of: record, at: source.rowKey) { [unfinished] in
                    record.markUnchanged(wasRequested: conditions.wasRequested(outcome))
                    whenDone()
                    unfinished.leave()
                }
                return
            case .cancelled: whenDone()
            // The downloader keeps the answer, so that the pair sends no second request.
            default: if isCancelled { whenDone() } else { add(record, whenDone: whenDone) }
            }
            unfinished.leave()
        }
        guard let early else {
            // This request must not overtake the requests that were added before.
            waitUntilRequested()
            // No handle is kept, because `cancelAll()` ends all transfers of the downloader. It is called again after
            // the last request.
            _ = services.downloader.fetch(
                source, known: conditions.known, refused: conditions.refused, wait: conditions.wait, completion: receive
            )
            return
        }
        early.whenAnswered(receive)
    }

    // MARK: The steps of a photo

    /// Queues the filter of a photo whose download has ended.
    private func downloadEnded(_ photo: PhotoOperationPair) {
        let filter = photo.filter
        guard photo.download.hasOriginal, !filter.isCancelled, !isCancelled else { return end(filter) }
        costEstimation.addOperation { [self] in
            let cost = isCancelled ? 0 : filter.estimateCost()
            let isReady = state.withLock { state in
                guard !state.isCancelled else { return false }
                state.ready.add(photo, position: photo.position, cost: cost, isLarge: filter.isLarge)
                return true
            }
            if isReady { beginFilters() } else { end(filter) }
        }
    }

    /// Ends a photo without filtering. Its cancelled operation needs no job.
    private func end(_ filter: FilterOperation) {
        filter.cancel()
        filters.addOperation(filter)
    }

    private func beginFilters() {
        while let photo = takeNext() {
            filters.addOperation(photo.filter)
            // All operations might have been cancelled since this photo was chosen.
            if isCancelled { photo.filter.cancel() }
        }
    }

    private func takeNext() -> PhotoOperationPair? {
        state.withLock { state in
            let large = state.filtering.values.count { $0.isLarge }
            guard state.filtering.count < jobs, let photo = state.ready.next(runningLarge: large) else { return nil }
            state.filtering[ObjectIdentifier(photo)] = (photo.record.photo.name, .now, photo.filter.isLarge)
            return photo
        }
    }

    /// Ends a photo, or downloads its original again if it was lost from the store, or from its next address.
    private func filterEnded(_ photo: PhotoOperationPair) {
        _ = state.withLock { $0.filtering.removeValue(forKey: ObjectIdentifier(photo)) }
        beginFilters()
        if let repetition = photo.filter.repetition, !isCancelled {
            photo.restart(repetition)
            return start(photo)
        }
        photo.whenDone()
        _ = state.withLock { $0.photos.removeValue(forKey: ObjectIdentifier(photo)) }
        unfinished.leave()
    }

    // MARK: All operations

    /// Waits until all operations have ended, and then runs the publication. Must be called once, before the last
    /// reference is released.
    /// - Parameter operation: the publication, a synchronous operation without dependencies.
    package func finish(with operation: Operation? = nil) {
        unfinished.wait()
        services.flush()
        services.discardCaches()
        guard let operation else { return }
        state.withLock { $0.publish = operation }
        if isCancelled { operation.cancel() }
        publication.addOperation(operation)
        publication.waitUntilAllOperationsAreFinished()
        state.withLock { $0.publish = nil }
    }

    /// The number of photos whose cost is yet to be estimated, and of those among which `FilterScheduler` chooses. For
    /// a moment, a photo counts as both.
    package var waiting: (estimates: Int, filters: Int) {
        (costEstimation.operationCount, state.withLock { $0.ready.count })
    }

    /// The photos that are being filtered, at most one for each job, each with its name and its start.
    package var filtering: [(name: String, began: SuspendingClock.Instant)] {
        state.withLock { $0.filtering.values.map { ($0.name, $0.began) } }
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Starts no new work and stops transfers. A publication that has begun is completed.
    package func cancelAll() {
        let (ready, publish) = state.withLock { state in
            state.isCancelled = true
            var ready: [PhotoOperationPair] = []
            while let photo = state.ready.next() { ready.append(photo) }
            return (ready, state.publish)
        }
        for photo in ready { end(photo.filter) }
        downloads.cancelAllOperations()
        filters.cancelAllOperations()
        publish?.cancel()
        services.downloader.cancelAll()
    }

    /// Starts no new work until `resume()` is called.
    package func suspend() {
        services.downloader.suspend()
        for queue in queues { queue.isSuspended = true }
    }

    package func resume() {
        for queue in queues.reversed() { queue.isSuspended = false }
        services.downloader.resume()
    }

    private var queues: [OperationQueue] { [downloads, costEstimation, filters, publication] }
}

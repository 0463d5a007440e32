internal import Dispatch
internal import Downloads
package import Foundation
internal import Synchronization

/// The operations of a build and their queues: a download and a filter for each photo, and one publication after
/// them.
///
/// An operation is added to its queue when it is ready, and not before, because Foundation's queue on Linux loses an
/// operation's place when a later one becomes ready first. A pair is retained until both operations have ended,
/// because an operation there keeps only unowned references to its dependents. `OperationLimiter` bounds the number
/// of pairs, so that memory does not grow with the gallery.
package final class PendingOperations: Sendable {
    private let services: BuildServices
    private let downloads = OperationQueue()
    /// Reads the headers of originals, so that `FilterScheduler` knows their cost. Operations of this queue are never
    /// cancelled, because each of them passes a filter on to the next queue.
    private let costEstimation = OperationQueue()
    private let filters: FilterQueue
    private let publication = OperationQueue()
    /// Counts downloads that have no place in the downloader's queue yet.
    private let unasked = DispatchGroup()
    private let unfinishedPairs = DispatchGroup()
    private let pairs = Mutex<[ObjectIdentifier: [Operation]]>([:])
    private let added = Mutex(0)
    private let last = Mutex<Operation?>(nil)
    private let window: OperationLimiter
    private let cancelled = Mutex(false)

    /// - Parameters:
    ///   - jobs: how many photos are filtered at once.
    ///   - places: how many are there at once: so many that a slow server among fast ones does not fill them soon.
    ///   - batch: as `OperationLimiter` has it: so few that such a server leaves the others nearly as many as it
    ///     would anyway.
    package init(services: BuildServices, jobs: Int, places: Int = 4_096, batch: Int = 64) {
        self.services = services
        window = OperationLimiter(places: places, batch: batch)
        downloads.name = "gallerygen.downloads"
        // The downloader limits concurrent transfers; a waiting operation holds no thread.
        downloads.maxConcurrentOperationCount = Int.max
        costEstimation.name = "gallerygen.weighing"
        costEstimation.maxConcurrentOperationCount = 1
        publication.name = "gallerygen.publication"
        filters = FilterQueue(jobs: jobs)
        services.whenStopped { [weak self] in self?.cancelAll() }
    }

    /// Adds a photo's pair of operations. Photos are worked on in the order in which they are added.
    /// - Parameter whenDone: called when both have ended, on a thread of a queue.
    @discardableResult
    package func add(
        _ record: PhotoRecord, whenDone: @escaping @Sendable () -> Void = {}
    ) -> (download: DownloadOperation, filter: FilterOperation) {
        let download = DownloadOperation(record: record, services: services)
        let filter = FilterOperation(record: record, download: download, services: services)
        let key = ObjectIdentifier(filter)
        pairs.withLock { $0[key] = [download, filter] }
        unfinishedPairs.enter()
        let place = added.withLock { added in
            added += 1
            return added
        }
        filter.completionBlock = { [self, weak filter] in
            filter?.releaseSlot()
            whenDone()
            // The queue releases the operation after this block.
            _ = pairs.withLock { $0.removeValue(forKey: key) }
            unfinishedPairs.leave()
        }
        unasked.enter()
        download.whenBegun { [unasked] in unasked.leave() }
        download.whenFinished { [self] in takeIn(filter, place: place) }
        filter.whenRestored { [self, unowned filter] in takeIn(filter, place: place) }
        downloads.addOperation(download)
        return (download, filter)
    }

    /// Queues the filter: the photo's original has arrived, for the first time or again.
    private func takeIn(_ filter: FilterOperation, place: Int) {
        if isCancelled { filter.cancel() }
        guard !filter.isCancelled else { return filters.add(filter, place: place, cost: 0) }
        costEstimation.addOperation { [self] in
            filters.add(filter, place: place, cost: isCancelled ? 0 : filter.estimateCost())
        }
    }

    /// Revalidates a photo that otherwise needs no work, after all requests that were added before. The photo gets
    /// its pair of operations only if the answer is new. Must be called on a thread that belongs to no queue.
    /// - Parameters:
    ///   - early: if the question went out already.
    ///   - whenDone: called when it is known that there is none, or when the pair has ended.
    package func ask(
        _ record: PhotoRecord, _ early: EarlyRevalidation? = nil, whenDone: @escaping @Sendable () -> Void = {}
    ) {
        guard let source = record.source else {
            add(record, whenDone: whenDone)
            return
        }
        unfinishedPairs.enter()
        let conditions = early?.conditions ?? services.conditions(record)
        let receive: @Sendable (FetchOutcome) -> Void = { [self] outcome in
            switch outcome {
            case .unchanged(let original) where services.isKnown(original, asked: conditions):
                record.keep(wasAsked: conditions.wasAsked(outcome))
                whenDone()
            case .unchanged(let original) where original.original == conditions.known?.original:
                services.remember(original, of: record) { [unfinishedPairs] in
                    record.keep(wasAsked: conditions.wasAsked(outcome))
                    whenDone()
                    unfinishedPairs.leave()
                }
                return
            case .cancelled: whenDone()
            // The downloader keeps the answer, so that the pair sends no second request.
            default: if isCancelled { whenDone() } else { add(record, whenDone: whenDone) }
            }
            unfinishedPairs.leave()
        }
        guard let early else {
            // Operations start on threads of their queue; this request must not overtake those added before.
            unasked.wait()
            // `cancelAll()` ends all transfers of the downloader, so that no handle is kept. It is called again after
            // the last request.
            _ = services.downloader.fetch(
                source, known: conditions.known, refused: conditions.refused, wait: conditions.wait, completion: receive
            )
            return
        }
        early.whenAnswered(receive)
    }

    /// Waits until all operations have ended, and then runs the publication. Must be called once, before the last
    /// reference is released.
    /// - Parameter operation: synchronous, and without dependencies.
    package func finish(with operation: Operation? = nil) {
        unfinishedPairs.wait()
        services.flush()
        services.forgetPhotos()
        guard let operation else { return }
        last.withLock { $0 = operation }
        if isCancelled { operation.cancel() }
        publication.addOperation(operation)
        publication.waitUntilAllOperationsAreFinished()
        last.withLock { $0 = nil }
    }

    /// Waits until the limit allows another photo. Must be called before each photo, by one thread that belongs to no
    /// queue.
    /// - Returns: a closure to call when the photo is done.
    package func waitForSlot() -> @Sendable () -> Void {
        window.take()
        return { [window] in window.giveBack() }
    }

    /// How many photos have their original and wait to be filtered.
    package var waiting: Int { costEstimation.operationCount + filters.waiting }

    package var isCancelled: Bool { cancelled.withLock { $0 } }

    /// Starts nothing new and stops transfers. A publication that is under way is completed.
    package func cancelAll() {
        cancelled.withLock { $0 = true }
        downloads.cancelAllOperations()
        filters.cancelAll()
        last.withLock { $0 }?.cancel()
        services.downloader.cancelAll()
    }

    /// Starts nothing new until `resume()`.
    package func suspend() {
        services.downloader.suspend()
        downloads.isSuspended = true
        costEstimation.isSuspended = true
        filters.isSuspended = true
        publication.isSuspended = true
    }

    package func resume() {
        publication.isSuspended = false
        filters.isSuspended = false
        costEstimation.isSuspended = false
        downloads.isSuspended = false
        services.downloader.resume()
    }
}

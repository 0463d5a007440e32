internal import Dispatch
internal import Downloads
package import Foundation
internal import Synchronization

/// The operations of a build and their queues: one pair a photo, and one that comes after all of them.
///
/// An operation goes to its queue when it is ready and not before: Foundation's queue on Linux loses its place when a
/// later operation becomes ready before an earlier one. A pair is kept until both have ended, because an operation
/// there refers to those that depend on it without keeping them. No more pairs than a window are there at once, so
/// that a gallery of any size takes the memory of a small one.
package final class PendingOperations: Sendable {
    private let services: BuildServices
    private let downloads = OperationQueue()
    /// Reads headers, so that the queue of filters can choose. Nothing in it is ever cancelled: what it takes in goes
    /// on to that queue.
    private let costEstimation = OperationQueue()
    private let filters: FilterQueue
    private let publication = OperationQueue()
    /// Downloads that were added, and whose addresses have no place yet among those that are asked.
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
        // The downloader keeps the limits on transfers; an operation that waits for it holds no thread.
        downloads.maxConcurrentOperationCount = Int.max
        costEstimation.name = "gallerygen.weighing"
        costEstimation.maxConcurrentOperationCount = 1
        publication.name = "gallerygen.publication"
        filters = FilterQueue(jobs: jobs)
        services.whenStopped { [weak self] in self?.cancelAll() }
    }

    /// Adds a photo's pair of operations, in the order in which photos are to be worked on.
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
            // It is released by its queue, after this.
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

    /// Its original is there, for the first time or again.
    private func takeIn(_ filter: FilterOperation, place: Int) {
        if isCancelled { filter.cancel() }
        guard !filter.isCancelled else { return filters.add(filter, place: place, cost: 0) }
        costEstimation.addOperation { [self] in
            filters.add(filter, place: place, cost: isCancelled ? 0 : filter.estimateCost())
        }
    }

    /// Asks whether there is news of a photo that otherwise is as it should be, after all that were added before.
    /// Only if there is, it gets its pair. To be called by a thread that is none of a queue's.
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
            // The downloader remembers the answer: the pair gets it without another question.
            default: if isCancelled { whenDone() } else { add(record, whenDone: whenDone) }
            }
            unfinishedPairs.leave()
        }
        guard let early else {
            // An operation begins on a thread of its queue, and what was added before is not to be overtaken.
            unasked.wait()
            // cancelAll() ends all that the downloader has under way: no ticket is needed, if it is called again
            // after the last.
            _ = services.downloader.fetch(
                source, known: conditions.known, refused: conditions.refused, wait: conditions.wait, completion: receive
            )
            return
        }
        early.whenAnswered(receive)
    }

    /// Waits until all that were added have ended, and then runs the operation that comes after them: the
    /// publication. To be called once, before the last reference goes.
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

    /// Waits until one more photo may be worked on: to be called before each, by one thread that is none of a queue's.
    /// - Returns: what is to be called when the photo is done.
    package func waitForSlot() -> @Sendable () -> Void {
        window.take()
        return { [window] in window.giveBack() }
    }

    /// How many photos have their original and wait to be filtered.
    package var waiting: Int { costEstimation.operationCount + filters.waiting }

    package var isCancelled: Bool { cancelled.withLock { $0 } }

    /// Nothing new starts and transfers stop; a publication that is under way is completed.
    package func cancelAll() {
        cancelled.withLock { $0 = true }
        downloads.cancelAllOperations()
        filters.cancelAll()
        last.withLock { $0 }?.cancel()
        services.downloader.cancelAll()
    }

    /// Nothing new starts until `resume()`.
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

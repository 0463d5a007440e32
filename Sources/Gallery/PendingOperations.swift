internal import Downloads
package import Foundation
internal import Imaging
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// The operations of a build and their queues: one pair a photo, and one that publishes after all of them.
package final class PendingOperations: Sendable {
    private struct FilterWork: Hashable {
        let source: String
        let options: DerivativeOptions
    }
    private struct Started {
        /// The filter that makes the same derivatives; a second one waits for it and finds them made.
        var filters: [FilterWork: FilterOperation] = [:]
        var all: [Operation] = []
    }

    private let workshop: Workshop
    private let downloads = OperationQueue()
    private let filters = OperationQueue()
    private let publishing = OperationQueue()
    private let started = Mutex(Started())
    private let cancelled = Mutex(false)

    /// - Parameter jobs: how many photos are filtered at once.
    package init(workshop: Workshop, jobs: Int) {
        self.workshop = workshop
        downloads.name = "gallerygen.downloads"
        // The downloader keeps the limits on transfers; an operation that waits for it holds no thread.
        downloads.maxConcurrentOperationCount = Int.max
        filters.name = "gallerygen.filters"
        filters.maxConcurrentOperationCount = jobs
        publishing.name = "gallerygen.publishing"
        publishing.maxConcurrentOperationCount = 1
    }

    /// Adds a photo's pair of operations, in the order in which photos are to be worked on.
    /// - Parameter whenDone: called when both have ended, on a thread of a queue.
    @discardableResult
    package func add(
        _ record: PhotoRecord, whenDone: @escaping @Sendable () -> Void = {}
    ) -> (download: DownloadOperation, filter: FilterOperation) {
        let download = DownloadOperation(record: record, workshop: workshop)
        let filter = FilterOperation(record: record, download: download, workshop: workshop)
        filter.completionBlock = whenDone
        started.withLock { started in
            if case .success(let source) = record.photo.source {
                let work = FilterWork(source: source.key, options: record.options)
                if let first = started.filters[work] {
                    filter.addDependency(first)
                } else {
                    started.filters[work] = filter
                }
            }
            started.all += [download, filter]
        }
        filters.addOperation(filter)
        downloads.addOperation(download)
        return (download, filter)
    }

    /// Adds the operation that begins only after all that were added before have ended: the publication.
    package func addLast(_ operation: Operation) {
        for earlier in started.withLock({ $0.all }) { operation.addDependency(earlier) }
        publishing.addOperation(operation)
    }

    package func waitUntilAllAreFinished() {
        downloads.waitUntilAllOperationsAreFinished()
        filters.waitUntilAllOperationsAreFinished()
        publishing.waitUntilAllOperationsAreFinished()
    }

    package var isCancelled: Bool { cancelled.withLock { $0 } }

    /// Nothing new starts and transfers stop; a publication that is under way is completed.
    package func cancelAll() {
        cancelled.withLock { $0 = true }
        downloads.cancelAllOperations()
        filters.cancelAllOperations()
        publishing.cancelAllOperations()
    }

    /// Nothing new starts until `resume()`.
    package func suspend() {
        workshop.downloader.suspend()
        downloads.isSuspended = true
        filters.isSuspended = true
        publishing.isSuspended = true
    }

    package func resume() {
        publishing.isSuspended = false
        filters.isSuspended = false
        downloads.isSuspended = false
        workshop.downloader.resume()
    }
}

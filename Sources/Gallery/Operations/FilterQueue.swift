internal import Foundation
internal import Synchronization

/// The queue of filters: runs as many at once as there are jobs, in the order of a `FilterScheduler`.
///
/// Foundation's queue runs operations in the order in which they were added, so each is added when its turn has come,
/// when an earlier one releases its slot. The queue has no limit of its own, because an operation whose original is
/// fetched again continues without a slot and takes one again when the original has arrived.
final class FilterQueue: Sendable {
    private struct State {
        var ready: FilterScheduler<FilterOperation>
        var placesTaken = 0
        var isCancelled = false
    }

    private let queue = OperationQueue()
    /// The queue of operations that began before and continue. Operations of this queue are never cancelled, because
    /// each of them still has to end.
    private let proceeding = OperationQueue()
    private let jobs: Int
    private let state: Mutex<State>

    init(jobs: Int) {
        self.jobs = jobs
        queue.name = "gallerygen.filters"
        queue.maxConcurrentOperationCount = Int.max
        proceeding.name = "gallerygen.filters.proceeding"
        proceeding.maxConcurrentOperationCount = Int.max
        state = Mutex(State(ready: FilterScheduler(jobs: jobs)))
    }

    /// The number of waiting operations.
    var waiting: Int { state.withLock { $0.ready.count } }

    /// Adds an operation that is ready to begin or to continue. The caller retains it until it has ended, and then
    /// calls its `releaseSlot`.
    /// - Parameters:
    ///   - place: in the order in which photos were taken up, mostly that of the list; no two have the same. An
    ///     operation that proceeds mostly comes before those that have not begun, as its place is before theirs.
    ///   - cost: as `FilterScheduler` has it.
    func add(_ operation: FilterOperation, place: Int, cost: Double) {
        let waits = state.withLock { state in
            guard !state.isCancelled, !operation.isCancelled else { return false }
            state.ready.add(operation, place: place, cost: cost)
            return true
        }
        if waits { beginNext() } else { end(operation) }
    }

    /// Starts nothing new.
    func cancelAll() {
        let ready = state.withLock { state in
            state.isCancelled = true
            var ready: [FilterOperation] = []
            while let next = state.ready.next() { ready.append(next) }
            return ready
        }
        ready.forEach(end)
        queue.cancelAllOperations()
    }

    /// Nothing new starts while this is true.
    var isSuspended: Bool {
        get { queue.isSuspended }
        set {
            queue.isSuspended = newValue
            proceeding.isSuspended = newValue
        }
    }

    private func beginNext() {
        while let next = takeNext() {
            enqueue(next)
            // All operations may have been cancelled since this one was chosen.
            if state.withLock({ $0.isCancelled }) { next.cancel() }
        }
    }

    private func takeNext() -> FilterOperation? {
        state.withLock { state in
            guard state.placesTaken < jobs, let next = state.ready.next() else { return nil }
            state.placesTaken += 1
            next.whenSlotIsReleased { [self] in
                self.state.withLock { $0.placesTaken -= 1 }
                beginNext()
            }
            return next
        }
    }

    /// A cancelled operation only ends, which needs no slot.
    private func end(_ operation: FilterOperation) {
        operation.cancel()
        enqueue(operation)
    }

    private func enqueue(_ operation: FilterOperation) {
        if operation.isExecuting {
            proceeding.addOperation { operation.proceed() }
        } else {
            queue.addOperation(operation)
        }
    }
}

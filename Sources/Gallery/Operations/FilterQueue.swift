internal import Foundation
internal import Synchronization

/// The queue of the operations that filter: as many at once as there are jobs, in the order of a `FilterScheduler`.
///
/// Foundation's queue takes operations in the order in which they joined it, so that each joins when its turn has come:
/// when one before it gives up its place. That queue keeps no limit of its own, since an operation whose original is
/// fetched again goes on without a place, and takes one again when the original is there.
final class FilterQueue: Sendable {
    private struct State {
        var ready: FilterScheduler<FilterOperation>
        var placesTaken = 0
        var isCancelled = false
    }

    private let queue = OperationQueue()
    /// In which operations go on that have begun before. Nothing in it is ever cancelled: each still has to end.
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

    /// How many wait for their turn.
    var waiting: Int { state.withLock { $0.ready.count } }

    /// To be called when the operation is ready, to begin or to proceed. The caller keeps it until it has ended, and
    /// then calls its `releaseSlot`.
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

    /// Nothing new starts.
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

    /// Nothing new starts while it is.
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
            // All may have been cancelled since it was taken.
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

    /// An operation that is cancelled only has to end, which takes no place.
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

internal import Dispatch
internal import Synchronization

/// Brings what has arrived safely into the store, away from the thread of the transfers: the disk takes milliseconds for it. What
/// comes while one batch is on its way goes into the next, all together, as a disk takes hardly longer for many files than for one.
final class StoringQueue: Sendable {
    /// An original that waits for its place in the store, and who wants it.
    struct Arrival: Sendable {
        let written: WrittenOriginal
        let fetch: Fetch
        let outcome: FetchOutcome
    }

    private struct State {
        var waiting: [Arrival] = []
        var running = 0
    }

    private let store: OriginalStore
    private let fetches: FetchTable
    private let whenStored: @Sendable (Int) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "downloads.storing", attributes: .concurrent)
    private let workers = DispatchGroup()

    /// While one waits for the disk, the other writes.
    private static let width = 2

    /// - Parameter whenStored: called for each batch with the number of those that are in the store then, or failed to get there.
    init(into store: OriginalStore, answering fetches: FetchTable, whenStored: @escaping @Sendable (Int) -> Void) {
        self.store = store
        self.fetches = fetches
        self.whenStored = whenStored
    }

    func submit(_ arrival: Arrival) {
        let isWorkerNeeded = state.withLock { state in
            state.waiting.append(arrival)
            guard state.running < Self.width else { return false }
            state.running += 1
            return true
        }
        if isWorkerNeeded { queue.async(group: workers) { self.work() } }
    }

    /// Returns when nothing waits any more.
    func waitUntilIdle() { workers.wait() }

    private func work() {
        while let batch = take() {
            for (arrival, failure) in zip(batch, store.keep(batch.map(\.written))) {
                let outcome = failure.map { FetchOutcome.storeFailed($0) } ?? arrival.outcome
                fetches.finish(arrival.fetch, with: outcome, givingAnswers: false)
            }
            fetches.giveAnswers()
            whenStored(batch.count)
        }
    }

    private func take() -> [Arrival]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}

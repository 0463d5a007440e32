internal import Dispatch
internal import Synchronization

/// Moves downloaded originals into the store on worker threads, because an fsync takes milliseconds that the transfer
/// thread must not lose. Originals that arrive while all workers are busy form the next batch: a disk takes hardly
/// longer to synchronise many files than one.
final class GroupCommitQueue: Sendable {
    /// An original that waits to be stored, and the fetch that it belongs to.
    struct Arrival: Sendable {
        let written: StagedOriginal
        let fetch: Fetch
        let outcome: FetchOutcome
    }

    private enum Step {
        /// The fetch was cancelled, or the store already has the original.
        case nothingToDo
        case isSynchronized
        case failed(DownloadsError)
    }

    private struct State {
        var waiting: [Arrival] = []
        var running = 0
    }

    private let store: OriginalStore
    private let fetches: RequestCoalescer
    private let whenStored: @Sendable (Int) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "downloads.storing", attributes: .concurrent)
    private let workers = DispatchGroup()

    /// The number of workers: while one waits for the disk, the other prepares the next batch or renames the last.
    private static let width = 2

    /// - Parameter whenStored: called after each batch with the number of its originals, whether they were stored or
    ///   not.
    init(into store: OriginalStore, answering fetches: RequestCoalescer, whenStored: @escaping @Sendable (Int) -> Void)
    {
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

    /// Waits until all originals have been stored or have failed.
    func waitUntilIdle() { workers.wait() }

    private func work() {
        while let count = storeBatch() { whenStored(count) }
    }

    /// Stores the waiting originals as a batch. Writing begins for all of them before the first is waited for, and none
    /// gets its final name before all are synchronised. That keeps the time between renaming and recording short: if
    /// the build is killed in between, the next one requests the original again.
    ///
    /// - Returns: the number of originals in the batch; nil if none was waiting.
    private func storeBatch() -> Int? {
        guard let batch = take() else { return nil }
        if batch.count > 1 {
            for arrival in batch where fetches.isWanted(arrival.fetch) { arrival.written.file.beginSynchronizing() }
        }
        let steps = batch.map { synchronize($0) }
        for (arrival, step) in zip(batch, steps) {
            fetches.finish(arrival.fetch, with: name(arrival, after: step), delivering: false)
        }
        fetches.deliverOutcomes()
        return batch.count
    }

    private func synchronize(_ arrival: Arrival) -> Step {
        // The original of a cancelled fetch is not synchronised: nobody should wait for a slow disk in vain.
        guard fetches.isWanted(arrival.fetch), !store.contains(arrival.written.original) else { return .nothingToDo }
        do {
            try arrival.written.file.synchronize()
            return .isSynchronized
        } catch {
            return .failed(error)
        }
    }

    private func name(_ arrival: Arrival, after step: Step) -> FetchOutcome {
        switch step {
        case .nothingToDo: return arrival.outcome
        case .failed(let error): return .storeFailed(error)
        case .isSynchronized:
            do {
                try store.commit(arrival.written)
                return arrival.outcome
            } catch {
                return .storeFailed(error)
            }
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

internal import Foundation
internal import Synchronization

/// Work on several items at the same time.
enum ConcurrentWork {
    private struct Progress {
        var next = 0
        var failure: ObjectStoreError?
    }

    /// Calls `work` for each item, in at most `limit` threads, and stops after the first error.
    static func forEach<Item: Sendable>(
        _ items: [Item], limit: Int, _ work: @escaping @Sendable (Item) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        let state = Mutex(Progress())
        let group = DispatchGroup()
        for _ in 0..<min(limit, items.count) {
            group.enter()
            // Dispatch would start only as many threads as the machine has cores.
            Thread.detachNewThread {
                defer { group.leave() }
                while true {
                    let index: Int? = state.withLock { state in
                        guard state.failure == nil, state.next < items.count else { return nil }
                        defer { state.next += 1 }
                        return state.next
                    }
                    guard let index else { return }
                    do throws(ObjectStoreError) {
                        try work(items[index])
                    } catch {
                        state.withLock { $0.failure = $0.failure ?? error }
                    }
                }
            }
        }
        group.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}

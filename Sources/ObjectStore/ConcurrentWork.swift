internal import PhotoModel
internal import Synchronization

/// Work on several items at the same time.
enum ConcurrentWork {
    /// Calls `work` for each item, in at most `limit` threads, and stops after the first error.
    static func forEach<Item: Sendable>(
        _ items: [Item], limit: Int, _ work: @escaping @Sendable (Item) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        let failure = Mutex<ObjectStoreError?>(nil)
        WaitingWork.perform(count: items.count, threads: limit) { index in
            guard failure.withLock({ $0 == nil }) else { return }
            do throws(ObjectStoreError) {
                try work(items[index])
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}

internal import DequeModule
internal import Dispatch
internal import Downloads
internal import Synchronization

/// Threads that send requests to a store, each one request at a time. Blocks begin in the order in which they were
/// added. The threads belong to no queue, because a dispatch queue starts only as many threads as the machine has
/// cores.
final class StoreThreads: Sendable {
    /// The blocks that wait. The threads hold this object and not the one that joins them.
    private final class Work: Sendable {
        let blocks = Mutex<Deque<@Sendable () -> Void>>([])
        /// Counts the blocks, and the threads that are to end.
        let pending = DispatchSemaphore(value: 0)

        func run() {
            while true {
                pending.wait()
                guard let block = blocks.withLock({ $0.popFirst() }) else { return }
                block()
            }
        }
    }

    private let work = Work()
    private let threads: [JoinableThread]

    /// - Parameter count: the number of threads. There are fewer if the system refuses to start more.
    /// - Throws: `GalleryError` if it refuses the first one.
    init(count: Int) throws(GalleryError) {
        var threads: [JoinableThread] = []
        do throws(DownloadsError) {
            for _ in 0..<count {
                threads.append(try JoinableThread(name: "store") { [work] in work.run() })
            }
        } catch {
            guard !threads.isEmpty else { throw GalleryError(error) }
        }
        self.threads = threads
    }

    func add(_ block: @escaping @Sendable () -> Void) {
        work.blocks.withLock { $0.append(block) }
        work.pending.signal()
    }

    /// Waits until all blocks have run, and ends the threads. Must be called once, before the last reference is
    /// released. No block is added after this.
    func finish() {
        for _ in threads { work.pending.signal() }
        for thread in threads { thread.join() }
    }
}

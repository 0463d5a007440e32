internal import DequeModule
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads that send requests to a store, each one request at a time. Blocks run in the order in which they are added.
/// The threads belong to no queue, because a dispatch queue starts only as many threads as the machine has cores.
final class StoreThreads: Sendable {
    private let blocks = Mutex<Deque<@Sendable () -> Void>>([])
    /// Counts the blocks, and the threads that are to end.
    private let pending = DispatchSemaphore(value: 0)
    private let threads = DispatchGroup()
    private let count: Int

    init(count: Int) {
        self.count = count
        for _ in 0..<count {
            threads.enter()
            Thread.detachNewThread { [self] in
                while let block = next() { block() }
                threads.leave()
            }
        }
    }

    func add(_ block: @escaping @Sendable () -> Void) {
        blocks.withLock { $0.append(block) }
        pending.signal()
    }

    /// Waits until all blocks have run, and ends the threads. Must be called once, before the last reference is
    /// released. No block is added after this.
    func finish() {
        for _ in 0..<count { pending.signal() }
        threads.wait()
    }

    /// - Returns: nil if the thread is to end.
    private func next() -> (@Sendable () -> Void)? {
        pending.wait()
        return blocks.withLock { $0.popFirst() }
    }
}

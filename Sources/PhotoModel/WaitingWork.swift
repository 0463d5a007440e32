internal import Foundation
internal import Synchronization

/// Work that mostly waits for a disk or a server. It needs threads besides the calling one that belong to no queue,
/// because a dispatch queue starts only as many threads as the machine has cores.
package enum WaitingWork {
    /// Calls `work` for each number from 0 to `count - 1`, and returns when all calls have returned.
    /// - Parameters:
    ///   - threads: the number of threads, of which one is the calling thread. The system can refuse a thread without
    ///     an error; then the others do its part.
    ///   - work: the closure. A thread that starts late can keep it for a moment after the return.
    package static func perform(count: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Void) {
        let next = Atomic(0)
        let unfinished = DispatchGroup()
        for _ in 0..<count { unfinished.enter() }
        let workOff = { @Sendable in
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < count else { return }
                work(number)
                unfinished.leave()
            }
        }
        for _ in 1..<max(1, min(threads, count)) { Thread.detachNewThread(workOff) }
        workOff()
        unfinished.wait()
    }
}

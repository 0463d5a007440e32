import Synchronization
import Testing

@testable import Site

@Suite("Work in parallel")
struct ParallelTests {
    @Test("Work that waits is done once for each number", arguments: [0, 1, 99, 101, 800, 12_345])
    func waitingWork(count: Int) {
        let done = Mutex([Int](repeating: 0, count: count))
        Parallel.performWaiting(0..<count) { part in
            done.withLock { done in
                for number in part { done[number] += 1 }
            }
        }
        #expect(done.withLock { $0.allSatisfy { $0 == 1 } })
    }
}

import Dispatch
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

    @Test("Work is done while this thread does something else")
    func meanwhile() {
        let (begun, isWanted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let found: Int? = Parallel.run {
            begun.signal()
            return isWanted.wait(timeout: .now() + 60) == .success ? 7 : nil
        } whileThisThread: {
            #expect(begun.wait(timeout: .now() + 60) == .success)
            isWanted.signal()
        }
        #expect(found == 7)
    }

    @Test("An error is thrown when the work on the other thread has ended")
    func failure() {
        let isDone = Mutex(false)
        let hasFailed = DispatchSemaphore(value: 0)
        #expect(throws: SiteError.slug("")) {
            try Parallel.run {
                hasFailed.wait()
                isDone.withLock { $0 = true }
            } whileThisThread: { () throws(SiteError) in
                hasFailed.signal()
                throw .slug("")
            }
        }
        #expect(isDone.withLock { $0 })
    }
}

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
        let (work, other) = Parallel.run {
            begun.signal()
            return isWanted.wait(timeout: .now() + 60)
        } whileThisThread: {
            isWanted.signal()
            return begun.wait(timeout: .now() + 60)
        }
        #expect(work == .success && other == .success)
    }

    @Test("An error is thrown when the work on the other thread has ended")
    func failure() {
        let steps = Mutex(0)
        let (begun, hasFailed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        #expect(throws: SiteError.slug("")) {
            try Parallel.run {
                begun.signal()
                hasFailed.wait()
                for _ in 0..<100_000 { steps.withLock { $0 += 1 } }
            } whileThisThread: { () throws(SiteError) in
                begun.wait()
                hasFailed.signal()
                throw .slug("")
            }
        }
        #expect(steps.withLock { $0 } == 100_000)
    }

    @Test("Work that no other thread has begun is done by this one, or never begins after an error")
    func noThread() throws {
        let queue = DispatchQueue(label: "without a thread")
        queue.suspend()
        let calls = Mutex(0)
        let work = { @Sendable in
            calls.withLock { calls in
                calls += 1
                return calls
            }
        }
        #expect(Parallel.run(on: queue, work, whileThisThread: { 7 }) == (1, 7))
        #expect(throws: SiteError.slug("")) {
            try Parallel.run(on: queue, work, whileThisThread: { () throws(SiteError) in throw .slug("") })
        }
        queue.resume()
        queue.sync {}
        #expect(calls.withLock { $0 } == 1)
    }
}

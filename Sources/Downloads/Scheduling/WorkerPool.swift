internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Runs blocking jobs in order, a few at a time, so that the thread that submits them does not block.
final class WorkerPool: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var waiting = Deque<Job>()
        var running = 0
        var isSuspended = false
    }

    private let width: Int
    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let workers = DispatchGroup()
    private let workerKey = DispatchSpecificKey<Bool>()

    init(label: String, width: Int) {
        self.width = width
        queue = DispatchQueue(label: label, attributes: .concurrent)
        queue.setSpecific(key: workerKey, value: true)
    }

    func submit(_ job: @escaping Job) {
        state.withLock { $0.waiting.append(job) }
        startWorkers()
    }

    /// Starts no further job until `resume()`.
    func suspend() { state.withLock { $0.isSuspended = true } }

    func resume() {
        state.withLock { $0.isSuspended = false }
        startWorkers()
    }

    /// Discards the jobs that have not started.
    func discardWaiting() {
        // The jobs are returned, so that the objects that they hold are released outside the lock.
        _ = state.withLock { state in
            defer { state.waiting = Deque() }
            return state.waiting
        }
    }

    /// Waits until no job is running and, unless the pool is suspended, none is waiting. If a job calls this, it
    /// returns at once, because a job cannot wait for itself.
    func waitUntilIdle() {
        guard DispatchQueue.getSpecific(key: workerKey) == nil else { return }
        workers.wait()
    }

    private func startWorkers() {
        while state.withLock({ state in
            guard !state.isSuspended, state.running < width, !state.waiting.isEmpty else { return false }
            state.running += 1
            return true
        }) {
            queue.async(group: workers) { self.work() }
        }
    }

    private func work() {
        while let job = state.withLock({ state in
            let job = state.isSuspended ? nil : state.waiting.popFirst()
            if job == nil { state.running -= 1 }
            return job
        }) {
            job()
        }
    }
}

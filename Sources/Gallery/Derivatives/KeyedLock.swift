internal import Dispatch
internal import Synchronization

/// A fair lock for each key: callers that wait for the same key get it in the order in which they came.
final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    /// The keys in use, each with the semaphores of the callers that wait for it, oldest first.
    private let waiting = Mutex<[Key: [DispatchSemaphore]]>([:])

    func withLock<Value, Failure: Error>(
        _ key: Key, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        begin(key)
        defer { end(key) }
        return try work()
    }

    private func begin(_ key: Key) {
        let semaphore = waiting.withLock { waiting -> DispatchSemaphore? in
            guard waiting[key] != nil else {
                waiting[key] = []
                return nil
            }
            let semaphore = DispatchSemaphore(value: 0)
            waiting[key]?.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
    }

    private func end(_ key: Key) {
        let next = waiting.withLock { waiting -> DispatchSemaphore? in
            guard let others = waiting[key], let next = others.first else {
                waiting[key] = nil
                return nil
            }
            waiting[key] = Array(others.dropFirst())
            return next
        }
        next?.signal()
    }
}

internal import Dispatch
internal import Synchronization

/// Lets only one at a time work on the same thing; the others wait in the order in which they came.
final class KeyedLock<Thing: Hashable & Sendable>: Sendable {
    /// Things that are worked on → those who wait for their turn.
    private let waiting = Mutex<[Thing: [DispatchSemaphore]]>([:])

    func take<Value, Failure: Error>(
        _ thing: Thing, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        begin(thing)
        defer { end(thing) }
        return try work()
    }

    private func begin(_ thing: Thing) {
        let turn = waiting.withLock { waiting -> DispatchSemaphore? in
            guard waiting[thing] != nil else {
                waiting[thing] = []
                return nil
            }
            let turn = DispatchSemaphore(value: 0)
            waiting[thing]?.append(turn)
            return turn
        }
        turn?.wait()
    }

    private func end(_ thing: Thing) {
        let next = waiting.withLock { waiting -> DispatchSemaphore? in
            guard let others = waiting[thing], let next = others.first else {
                waiting[thing] = nil
                return nil
            }
            waiting[thing] = Array(others.dropFirst())
            return next
        }
        next?.signal()
    }
}

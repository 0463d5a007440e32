internal import Synchronization

/// A value that tests wait on: it changes on one thread, and a test goes on when it has become what is awaited.
package final class Observed<Value: Sendable>: Sendable {
    private struct Waiter {
        let isFulfilled: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    @discardableResult
    package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, value, fulfilled) = state.withLock { state in
            let result = change(&state.value)
            let value = state.value
            let fulfilled = state.waiters.filter { $0.isFulfilled(value) }
            state.waiters.removeAll { $0.isFulfilled(value) }
            return (result, value, fulfilled)
        }
        for waiter in fulfilled { waiter.continuation.resume(returning: value) }
        return result
    }

    /// Waits without end: the time limit of the test ends what never comes.
    @discardableResult
    package func wait(until isFulfilled: @escaping @Sendable (Value) -> Bool) async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if isFulfilled(state.value) { return state.value }
                state.waiters.append(Waiter(isFulfilled: isFulfilled, continuation: continuation))
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

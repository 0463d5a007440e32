internal import Synchronization

/// A value that changes on any thread, and that a test can wait for until it fulfils a condition.
package final class Observed<Value: Sendable>: Sendable {
    private struct Waiter {
        let isFulfilled: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    @discardableResult
    package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, value, fulfilled) = state.withLock { state in
            let result = change(&state.value)
            let value = state.value
            let fulfilled = state.waiters.filter { $0.value.isFulfilled(value) }
            for number in fulfilled.keys { state.waiters[number] = nil }
            return (result, value, fulfilled.values)
        }
        for waiter in fulfilled { waiter.continuation.resume(returning: value) }
        return result
    }

    /// Waits until the value fulfils the condition, or the time limit of the test cancels the wait.
    ///
    /// - Returns: the value, which does not fulfil the condition if the wait was cancelled.
    @discardableResult
    package func wait(until isFulfilled: @escaping @Sendable (Value) -> Bool) async -> Value {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if isFulfilled(state.value) || Task.isCancelled { return state.value }
                    state.waiters[number] = Waiter(isFulfilled: isFulfilled, continuation: continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            let (waiter, value) = state.withLock { ($0.waiters.removeValue(forKey: number), $0.value) }
            waiter?.continuation.resume(returning: value)
        }
    }
}

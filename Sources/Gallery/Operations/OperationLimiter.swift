internal import Dispatch
internal import Synchronization

/// Places for so many photos at once.
///
/// Whoever found none goes on when a batch of them is free, not with the first: to be woken for each photo costs more
/// than to add one.
package final class OperationLimiter: Sendable {
    private struct State {
        var free: Int
        /// How many are to be free before whoever waits goes on; 0 where nobody does.
        var wanted = 0
    }

    private let batch: Int
    private let state: Mutex<State>
    private let wakeUp = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - places: at least 1.
    ///   - batch: at least 1, and at most as many as there are places.
    package init(places: Int, batch: Int) {
        precondition((1...places).contains(batch), "a batch that is never free")
        self.batch = batch
        state = Mutex(State(free: places))
    }

    /// Whether somebody found no place, and too few are free yet.
    package var isWaitedFor: Bool { state.withLock { $0.wanted > 0 } }

    /// Takes a place, and waits for it as long as it has to. To be called by one thread.
    package func take() {
        let hasToWait = state.withLock { state in
            precondition(state.wanted == 0, "another thread waits")
            if state.free == 0 { state.wanted = batch }
            return state.free == 0
        }
        if hasToWait { wakeUp.wait() }
        state.withLock { $0.free -= 1 }
    }

    /// Gives one back, on any thread.
    package func giveBack() {
        let isEnough = state.withLock { state in
            state.free += 1
            guard state.free == state.wanted else { return false }
            state.wanted = 0
            return true
        }
        if isEnough { wakeUp.signal() }
    }
}

internal import Dispatch
internal import Synchronization

/// Limits how many photos have operations at once.
///
/// A thread that finds no free slot waits until a batch of slots is free: waking it for each photo costs more than
/// adding one.
package final class OperationLimiter: Sendable {
    private struct State {
        var free: Int
        /// The number of free slots that wakes the waiting thread; 0 if no thread waits.
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

    /// Whether a thread waits for free slots.
    package var isWaitedFor: Bool { state.withLock { $0.wanted > 0 } }

    /// Takes a slot, and waits for one if necessary. Must be called by one thread only.
    package func take() {
        let hasToWait = state.withLock { state in
            precondition(state.wanted == 0, "another thread waits")
            if state.free == 0 { state.wanted = batch }
            return state.free == 0
        }
        if hasToWait { wakeUp.wait() }
        state.withLock { $0.free -= 1 }
    }

    /// Releases a slot, on any thread.
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

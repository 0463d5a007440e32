internal import Dispatch
internal import PhotoModel
internal import Synchronization

/// The memory that all photos under way may hold together: a photo waits until there is enough for it.
///
/// Photos are let through in the order in which they came, so that none waits for ever while smaller ones pass it by.
/// A photo that would not fit even alone is refused, since the limit is a promise.
package final class MemoryBudget: Sendable {
    private struct Waiter {
        let bytes: Int
        let admission: DispatchSemaphore
    }

    private struct State {
        var held = 0
        var waiters: [Waiter] = []

        func hasRoom(for bytes: Int, within limit: Int) -> Bool { bytes <= limit - held }
    }

    /// The limit in bytes.
    package let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: bytes, at least 0.
    package init(limit: Int) {
        precondition(limit >= 0, "a budget is not negative")
        self.limit = limit
    }

    /// The number of waiting photos.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits, holding the thread, until there is room for so many bytes, and holds them while `body` runs.
    ///
    /// - Parameter bytes: at least 0, as `DerivativeMaker.estimatedMemory(of:)` has it.
    /// - Throws: `.picture` at once for more than the limit; what `body` throws.
    package func withRoom<Result>(
        for bytes: Int, _ body: () throws(ImagingError) -> Result
    ) throws(ImagingError) -> Result {
        guard bytes <= limit else {
            throw .picture(.tooMuchMemory(needed: Int64(bytes), limit: Int64(limit)))
        }
        enter(bytes)
        defer { leave(bytes) }
        return try body()
    }

    private func enter(_ bytes: Int) {
        let admission = state.withLock { state -> DispatchSemaphore? in
            if state.waiters.isEmpty, state.hasRoom(for: bytes, within: limit) {
                state.held += bytes
                return nil
            }
            let waiter = Waiter(bytes: bytes, admission: DispatchSemaphore(value: 0))
            state.waiters.append(waiter)
            return waiter.admission
        }
        admission?.wait()
    }

    private func leave(_ bytes: Int) {
        state.withLock { state in
            state.held -= bytes
            while let next = state.waiters.first, state.hasRoom(for: next.bytes, within: limit) {
                state.waiters.removeFirst()
                state.held += next.bytes
                next.admission.signal()
            }
        }
    }
}

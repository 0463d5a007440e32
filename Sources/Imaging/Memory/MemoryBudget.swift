internal import Dispatch
internal import PhotoModel
internal import Synchronization

/// The memory that all photos in progress may hold together. A photo waits until there is enough memory for it.
///
/// Photos are admitted in the order in which they arrive, so that none waits for ever while smaller ones overtake it. A
/// photo that would not fit even alone is refused, because the limit is a promise.
package final class MemoryBudget: Sendable {
    /// A photo that waits until the memory for it is free.
    private struct Waiter {
        let bytes: Int
        let admission: DispatchSemaphore
    }

    /// The reserved memory, in bytes, and the waiting photos in the order of their arrival.
    private struct State {
        var reserved = 0
        var waiters: [Waiter] = []

        func hasRoom(for bytes: Int, within limit: Int) -> Bool { bytes <= limit - reserved }
    }

    /// The limit in bytes.
    package let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the limit in bytes, at least 0.
    package init(limit: Int) {
        precondition(limit >= 0, "a budget is not negative")
        self.limit = limit
    }

    /// The number of waiting photos.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Blocks the thread until `bytes` bytes are free, and reserves them while `body` runs.
    ///
    /// - Parameter bytes: the number of bytes, at least 0, as `DerivativeMaker.estimatedMemory(of:)` returns it.
    /// - Throws: `.picture` at once if the number is above the limit; the errors of `body`.
    package func withReservation<Result>(
        for bytes: Int, _ body: () throws(ImagingError) -> Result
    ) throws(ImagingError) -> Result {
        guard bytes <= limit else {
            throw .picture(.tooMuchMemory(needed: Int64(bytes), limit: Int64(limit)))
        }
        reserve(bytes)
        defer { release(bytes) }
        return try body()
    }

    private func reserve(_ bytes: Int) {
        let admission = state.withLock { state -> DispatchSemaphore? in
            if state.waiters.isEmpty, state.hasRoom(for: bytes, within: limit) {
                state.reserved += bytes
                return nil
            }
            let waiter = Waiter(bytes: bytes, admission: DispatchSemaphore(value: 0))
            state.waiters.append(waiter)
            return waiter.admission
        }
        admission?.wait()
    }

    private func release(_ bytes: Int) {
        state.withLock { state in
            state.reserved -= bytes
            while let next = state.waiters.first, state.hasRoom(for: next.bytes, within: limit) {
                state.waiters.removeFirst()
                state.reserved += next.bytes
                next.admission.signal()
            }
        }
    }
}

package import Foundation
internal import Synchronization

/// An operation that is not finished when `start()` returns, so that no thread is blocked while it waits.
///
/// `@unchecked Sendable`: Foundation's `Operation` is documented as thread-safe, and the state that this class adds is
/// behind a lock.
package class AsynchronousOperation: Operation, @unchecked Sendable {
    private enum Phase { case waiting, executing, finished }
    private let phase = Mutex(Phase.waiting)

    package final override var isAsynchronous: Bool { true }
    package final override var isExecuting: Bool { phase.withLock { $0 == .executing } }
    package final override var isFinished: Bool { phase.withLock { $0 == .finished } }

    package final override func start() {
        guard !isCancelled else {
            didCancelBeforeStart()
            finish()
            return
        }
        willChangeValue(forKey: "isExecuting")
        phase.withLock { $0 = .executing }
        didChangeValue(forKey: "isExecuting")
        begin()
    }

    /// Starts the work. When the work ends, `finish()` must be called once.
    func begin() { finish() }

    /// Called if the operation was cancelled before it started. `begin()` is not called then.
    func didCancelBeforeStart() {}

    final func finish() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        phase.withLock { $0 = .finished }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }
}

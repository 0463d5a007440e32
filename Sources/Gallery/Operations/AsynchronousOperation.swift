package import Foundation
internal import Synchronization

/// An operation that goes on after `start()` has returned, so that waiting holds no thread.
///
/// `@unchecked Sendable`: Foundation's `Operation` is thread-safe by its contract, and all that is added is behind a
/// lock.
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

    /// Starts the work; whoever ends it calls `finish()` once.
    func begin() { finish() }

    /// The operation was cancelled while it waited: `begin()` is never called.
    func didCancelBeforeStart() {}

    final func finish() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        phase.withLock { $0 = .finished }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }
}

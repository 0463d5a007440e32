internal import Synchronization

/// The messages to the transfer thread, which reads them between two steps of libcurl.
final class TransferMailbox: Sendable {
    enum Command: Sendable {
        case start(TransferRequest)
        /// Fetches were cancelled: the transfers that nobody waits for must stop.
        case dropUnwanted
        /// A batch of originals was stored, or failed to be. The value is their number.
        case storingEnded(Int)
    }

    struct Mail {
        var commands: [Command] = []
        var isSuspended = false
        var isStopping = false
    }

    private struct State {
        var mail = Mail()
        /// Whether the thread was woken since it last read its mail, so that 10,000 requests in a row wake it only
        /// once.
        var hasWokenThread = false
        /// Whether the thread has ended. Then nobody reads any more, and the multi handle may have been freed.
        var isClosed = false
    }

    private let multi: MultiHandle
    private let state = Mutex(State())

    init(waking multi: MultiHandle) { self.multi = multi }

    func send(_ command: Command) { update { $0.commands.append(command) } }

    func suspend() { update { $0.isSuspended = true } }

    func resume() { update { $0.isSuspended = false } }

    func stop() { update { $0.isStopping = true } }

    /// The messages since the last call. The flags `isSuspended` and `isStopping` keep their values.
    func collect() -> Mail {
        state.withLock { state in
            state.hasWokenThread = false
            let mail = state.mail
            state.mail.commands = []
            return mail
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.mail.commands = []
        }
    }

    private func update(_ change: (inout Mail) -> Void) {
        state.withLock { state in
            guard !state.isClosed else { return }
            change(&state.mail)
            guard !state.hasWokenThread else { return }
            state.hasWokenThread = true
            // The thread is woken under the lock, so that the handle can't be freed at the same time. Waking it fails
            // only if libcurl was built without support for it. Then the thread reads its mail when its poll ends.
            try? multi.wakeUp()
        }
    }
}

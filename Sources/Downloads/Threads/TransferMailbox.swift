internal import Synchronization

/// Messages to the transfer thread, which reads them between two steps of libcurl.
final class TransferMailbox: Sendable {
    enum Command: Sendable {
        case start(TransferRequest)
        /// Fetches were cancelled: those that nobody waits for are to stop.
        case dropUnwanted
        /// The number of originals that were stored, or failed to be.
        case storingEnded(Int)
    }

    struct Mail {
        var commands: [Command] = []
        var isSuspended = false
        var isStopping = false
    }

    private struct State {
        var mail = Mail()
        /// False until the next mail, so that 10,000 requests in a row wake the thread once.
        var hasWokenThread = false
        /// The thread has ended: nobody reads any more, and the multi handle may be gone.
        var isClosed = false
    }

    private let multi: MultiHandle
    private let state = Mutex(State())

    init(waking multi: MultiHandle) { self.multi = multi }

    func send(_ command: Command) { update { $0.commands.append(command) } }

    func suspend() { update { $0.isSuspended = true } }

    func resume() { update { $0.isSuspended = false } }

    func stop() { update { $0.isStopping = true } }

    /// All that came since the last time. The switches stay as they are.
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
            // The wake-up is under the lock, so that the handle can't be freed meanwhile. It fails only where libcurl
            // was built without a way to be woken; then the thread looks again when its poll ends.
            try? multi.wakeUp()
        }
    }
}

internal import Dispatch
internal import Ledger
internal import Synchronization

/// Writes into the ledger what is learnt, away from the threads that learn it. What comes while one transaction is
/// being written goes into the next, all together: nothing waits for a clock, and a busy build pays for few
/// transactions.
final class LedgerJournal: Sendable {
    private struct Waiting {
        var entries: [LedgerEntry] = []
        var actions: [@Sendable () -> Void] = []
        var isWriting = false
    }

    private let ledger: Ledger
    private let whenRefused: @Sendable (LedgerError) -> Void
    private let waiting = Mutex(Waiting())
    private let queue = DispatchQueue(label: "gallerygen.ledger")

    /// - Parameter whenRefused: called for each transaction that could not be written: from the first one on, all
    ///   that comes is lost.
    init(_ ledger: Ledger, whenRefused: @escaping @Sendable (LedgerError) -> Void) {
        self.ledger = ledger
        self.whenRefused = whenRefused
    }

    /// - Parameter action: called once the entry is in the ledger, or was refused: what has ended by then no kill makes
    ///   undone.
    func record(_ entry: LedgerEntry, then action: (@Sendable () -> Void)? = nil) {
        let isFirst = waiting.withLock { waiting in
            waiting.entries.append(entry)
            if let action { waiting.actions.append(action) }
            defer { waiting.isWriting = true }
            return !waiting.isWriting
        }
        if isFirst { queue.async { self.write() } }
    }

    /// Returns when all that was recorded before is in the ledger.
    func flush() { queue.sync {} }

    private func write() {
        while let next = take() {
            do { try ledger.record(next.entries) } catch { whenRefused(error) }
            for action in next.actions { action() }
        }
    }

    private func take() -> Waiting? {
        waiting.withLock { waiting in
            guard !waiting.entries.isEmpty else {
                waiting.isWriting = false
                return nil
            }
            let next = waiting
            waiting = Waiting(isWriting: true)
            return next
        }
    }
}

internal import Dispatch
internal import Ledger
internal import Synchronization

/// Writes entries into the ledger on a queue of its own, away from the threads that produce them. The entries that
/// arrive during one transaction go into the next, all together. So no entry waits for a timer, and a busy build needs
/// few transactions.
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

    /// - Parameter whenRefused: a closure that is called for each transaction that could not be written. From the first
    ///   of them on, all new entries are lost.
    init(_ ledger: Ledger, whenRefused: @escaping @Sendable (LedgerError) -> Void) {
        self.ledger = ledger
        self.whenRefused = whenRefused
    }

    /// - Parameter action: a closure that is called when the entry is in the ledger, or was refused. A kill after that
    ///   does not undo the entry.
    func record(_ entry: LedgerEntry, then action: (@Sendable () -> Void)? = nil) {
        let isFirst = waiting.withLock { waiting in
            waiting.entries.append(entry)
            if let action { waiting.actions.append(action) }
            defer { waiting.isWriting = true }
            return !waiting.isWriting
        }
        if isFirst { queue.async { self.write() } }
    }

    /// Returns when all entries that were recorded before are in the ledger.
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

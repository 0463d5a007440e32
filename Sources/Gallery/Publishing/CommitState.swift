internal import Synchronization

/// Whether files are being moved into place in the output folder at this moment. If the process ended then, the site
/// would mix files of two builds until the next build completes it.
final class CommitState: Sendable {
    private let isRunning = Atomic(false)

    var isCommitting: Bool { isRunning.load(ordering: .sequentiallyConsistent) }

    func run<Result>(_ commit: () throws -> Result) rethrows -> Result {
        isRunning.store(true, ordering: .sequentiallyConsistent)
        defer { isRunning.store(false, ordering: .sequentiallyConsistent) }
        return try commit()
    }
}

internal import Synchronization

/// Whether files are just being put in place in the output folder: a process that ended then would leave a site of two
/// builds until the next one completes it.
final class CommitState: Sendable {
    private let isRunning = Atomic(false)

    var isCommitting: Bool { isRunning.load(ordering: .sequentiallyConsistent) }

    func run<Result>(_ commit: () throws -> Result) rethrows -> Result {
        isRunning.store(true, ordering: .sequentiallyConsistent)
        defer { isRunning.store(false, ordering: .sequentiallyConsistent) }
        return try commit()
    }
}

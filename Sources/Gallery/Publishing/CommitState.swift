internal import Synchronization

/// Whether the new files of the site are being moved into place, or are there already while the build is not over. If
/// the process ended in the first case, the site would mix files of two builds. In the second, its exit code would say
/// that the site is the old one.
final class CommitState: Sendable {
    private let isRunning = Atomic(false)

    var isCommitting: Bool { isRunning.load(ordering: .sequentiallyConsistent) }

    func begin() { isRunning.store(true, ordering: .sequentiallyConsistent) }

    func end() { isRunning.store(false, ordering: .sequentiallyConsistent) }
}

internal import Synchronization

/// Whether a build has begun to move the new files of the site into place. If the process ended before they are all
/// there, the site would mix files of two builds. If it ended later, its exit code would say that the site is the old
/// one.
final class CommitState: Sendable {
    private let hasBegun = Atomic(false)

    var isCommitting: Bool { hasBegun.load(ordering: .sequentiallyConsistent) }

    func begin() { hasBegun.store(true, ordering: .sequentiallyConsistent) }

    /// Lets the process end again: the commit failed, or the build goes on to change the site.
    func end() { hasBegun.store(false, ordering: .sequentiallyConsistent) }
}

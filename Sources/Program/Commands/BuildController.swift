internal import Gallery
internal import Synchronization

/// The build that is under way, for signals to reach; of several in a row the one whose turn it is.
final class BuildController: Sendable {
    private struct State {
        var build: Build?
        var isInterrupted = false
        var onInterruption: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether somebody wants it all to end.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Runs a build; none begins after an interruption.
    func run(_ build: Build) throws(GalleryError) -> BuildReport {
        let isInterrupted = state.withLock { state in
            state.build = build
            return state.isInterrupted
        }
        defer { state.withLock { $0.build = nil } }
        guard !isInterrupted else { throw .interrupted }
        return try build.run()
    }

    /// Sets what else is to be told of an interruption.
    func whenInterrupted(_ action: @escaping @Sendable () -> Void) {
        let isInterrupted = state.withLock { state in
            state.onInterruption = action
            return state.isInterrupted
        }
        if isInterrupted { action() }
    }

    func interrupt() {
        let state = state.withLock { state in
            state.isInterrupted = true
            return state
        }
        state.build?.cancel()
        state.onInterruption?()
    }

    /// Whether the build is at a point where the process may not be ended.
    var isCommitting: Bool { state.withLock { $0.build }?.isCommitting ?? false }

    func suspend() { state.withLock { $0.build }?.suspend() }

    func resume() { state.withLock { $0.build }?.resume() }
}

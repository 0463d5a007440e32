internal import Gallery
internal import Synchronization

/// Passes signals on to the running build. With `--watch`, there is one build after the other.
final class BuildController: Sendable {
    private struct State {
        var build: (any CancellableBuild)?
        var isInterrupted = false
        var onInterruption: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether a signal has requested the end of all builds.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Runs a build.
    /// - Throws: the error of the build, or `GalleryError.interrupted`, without starting it, if there was an
    ///   interruption before.
    func run(_ build: any CancellableBuild) throws(GalleryError) -> BuildReport {
        let isInterrupted = state.withLock { state in
            state.build = build
            return state.isInterrupted
        }
        defer { state.withLock { $0.build = nil } }
        guard !isInterrupted else { throw .interrupted }
        return try build.run()
    }

    /// Sets an additional action for an interruption. It is called at once if there has been one.
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

    /// Whether the build is replacing the site, or has done so and is not over. The process must not exit then.
    var isCommitting: Bool { state.withLock { $0.build }?.isCommitting ?? false }

    var slowest: SlowWork? { state.withLock { $0.build }?.slowest }

    func suspend() { state.withLock { $0.build }?.suspend() }

    func resume() { state.withLock { $0.build }?.resume() }
}

internal import Synchronization

/// The first error that stops a build, and the action to run when it occurs.
final class BuildAbort: Sendable {
    private struct State {
        var error: GalleryError?
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The error; nil as long as nothing has stopped the build.
    var error: GalleryError? { state.withLock { $0.error } }

    func whenStopped(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.action = action } }

    func stop(_ error: GalleryError) {
        let action = state.withLock { state in
            state.error = state.error ?? error
            return state.action
        }
        action?()
    }
}

internal import Gallery
internal import Synchronization
internal import Watching

/// Takes every change of a gallery's files over into its preview, until a signal or a failure ends the loop.
final class PreviewLoop: Sendable {
    private let given: GivenArguments
    private let first: CommandContext
    private let watch: ChangeWatch
    private let state = Mutex(State())

    private struct State {
        var preview: ServedPreview?
        var isInterrupted = false
    }

    init(_ given: GivenArguments, _ first: CommandContext) throws(CommandFailure) {
        self.given = given
        self.first = first
        do {
            watch = try ChangeWatch()
        } catch {
            throw CommandFailure(GalleryError.bug("\(error)"))
        }
    }

    /// The running preview; nil before the loop.
    var preview: ServedPreview? { state.withLock { $0.preview } }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    func interrupt() {
        state.withLock { $0.isInterrupted = true }
        watch.wake()
    }

    /// - Throws: `CommandFailure` if the preview has failed for good.
    func run(_ preview: ServedPreview) throws(CommandFailure) {
        state.withLock { $0.preview = preview }
        var context = first
        var awaited = WatchedPaths()
        var hasMistake = false
        while !isInterrupted {
            let paths = context.settings.watched.union(awaited).union(WatchedPaths(files: preview.files))
            // Files that were not watched before might have changed since they were read.
            let outcome = watch.update(paths) ? .changed : watch.wait(for: preview.remoteListPeriod)
            if outcome == .woken { break }
            awaited = WatchedPaths()
            do throws(CommandFailure) {
                if outcome == .changed || hasMistake {
                    context = try CommandContext(
                        given, sendsRequests: true, printedWarnings: context.settings.warnings)
                    try preview.reload(context)
                }
                if preview.remoteListPeriod != nil, outcome == .timedOut || hasMistake {
                    try preview.reloadRemoteLists()
                }
                preview.endMistake()
                hasMistake = false
            } catch {
                if isInterrupted { break }
                hasMistake = true
                awaited = error.awaited
                preview.show(error)
            }
        }
        if let failure = preview.failure { throw failure }
    }
}

internal import Dispatch
internal import Gallery
internal import Synchronization
internal import Watching

/// Takes every change of a gallery's files over into its preview, until a signal or a failure ends the loop.
final class PreviewLoop: Sendable {
    private let given: GivenArguments
    private let first: CommandContext
    private let watch: ChangeWatch
    /// Requests lists with a URL, which can take as long as their servers like.
    private let requests = DispatchQueue(label: "gallerygen.preview.lists")
    private let state = Mutex(State())

    private struct State {
        var preview: ServedPreview?
        var isInterrupted = false
        /// Whether lists with a URL are being requested.
        var isRequesting = false
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
        var requested = ContinuousClock.now
        while !isInterrupted {
            let paths = context.settings.watched.union(awaited).union(WatchedPaths(files: preview.files))
            let period = preview.remoteListPeriod.map { $0 - (.now - requested) }
            // Files that were not watched before might have changed since they were read.
            let outcome = watch.update(paths) ? .changed : watch.wait(for: period)
            if isInterrupted { break }
            if outcome == .timedOut {
                requested = .now
                requestLists(of: preview)
                // Settings can name a list with a URL that does not answer. No change of a file ends this mistake.
                guard preview.hasMistakeInFiles else { continue }
            }
            do throws(CommandFailure) {
                context = try CommandContext(given, sendsRequests: true, printedWarnings: context.settings.warnings)
                try preview.reload(context)
                awaited = WatchedPaths()
            } catch {
                if isInterrupted { break }
                awaited = error.awaited
                preview.show(error, from: .files)
            }
        }
        // A request ends soon after the interruption, and uses the preview until then.
        requests.sync {}
        if let failure = preview.failure { throw failure }
    }

    /// Begins to request the lists with a URL, unless their servers have not answered the last request yet. Wakes the
    /// loop if a list has changed, because it can name other files.
    private func requestLists(of preview: ServedPreview) {
        let isBusy = state.withLock { state in
            defer { state.isRequesting = true }
            return state.isRequesting
        }
        guard !isBusy else { return }
        requests.async { [self] in
            do throws(CommandFailure) {
                if try preview.reloadRemoteLists() { watch.wake() }
            } catch {
                if !isInterrupted { preview.show(error, from: .remoteLists) }
            }
            state.withLock { $0.isRequesting = false }
        }
    }
}

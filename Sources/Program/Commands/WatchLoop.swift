internal import Downloads
internal import Gallery
internal import Watching

/// `build --watch`: builds again whenever a file that the site is made from changes, until a signal ends the loop. If a
/// build fails, the loop reports the failure and waits for the next change.
struct WatchLoop {
    let running: BuildController
    /// The signal that ended the loop; nil if none did.
    let signal: () -> Int32?
    /// Runs one build. The returned context has the settings that the build used.
    let build: (CommandContext) throws(CommandFailure) -> (BuildReport, CommandContext)
    let summary: (BuildReport, CommandContext) -> BuildSummary
    /// Publishes the site after a build.
    let publish: (CommandContext) throws(CommandFailure) -> Void

    /// The period of revalidation of remote photos, unless `--max-age` gives another one.
    private static let remotePeriod = Duration.seconds(300)
    /// The pause after a failed build or publication.
    private static let retryPeriod = Duration.seconds(60)
    /// The shortest period of revalidation.
    private static let shortestPeriod = Duration.seconds(10)

    /// - Parameter next: a closure that reads the settings again before each further build.
    /// - Throws: `CommandFailure` if a signal ends the loop, or if watching can't begin.
    func run(
        from first: CommandContext, next: () throws(CommandFailure) -> CommandContext
    ) throws(CommandFailure) {
        let watch = try Self.started()
        running.whenInterrupted { watch.wake() }
        var context = first
        var photos: Set<String> = []
        var hasAnnounced = false
        while true {
            _ = watch.update(paths(context, photos))
            let built = try attempt { () throws(CommandFailure) in try build(context) }
            if let built { context = built.1 }
            let report = built?.0
            var hasFailed = report == nil
            if let report {
                photos = report.files
                if !report.changedNothing || !hasAnnounced { summary(report, context).print(to: context.console) }
                hasFailed = try attempt { () throws(CommandFailure) in try publish(context) } == nil
            }
            if !hasAnnounced { context.console.info("Watching for changes; press Ctrl-C to stop.") }
            hasAnnounced = true
            // Files that were not watched during the build might have changed since they were read.
            let mayHaveMissed = watch.update(paths(context, photos))
            let pause = hasFailed ? Self.retryPeriod : period(report, context)
            guard mayHaveMissed || watch.wait(for: pause) != .woken else { throw interruption }
            var printed: [String] = []
            while true {
                let awaited: WatchedPaths
                do throws(CommandFailure) {
                    context = try next()
                    break
                } catch {
                    if running.isInterrupted { throw error }
                    if error.messages != printed { error.report() }
                    printed = error.messages
                    awaited = error.awaited
                }
                // Files that the settings name might have appeared since the settings were read.
                let mayHaveMissed = watch.update(paths(context, photos).union(awaited))
                guard mayHaveMissed || watch.wait(for: nil) != .woken else { throw interruption }
            }
        }
    }

    private var interruption: CommandFailure { CommandFailure(.interrupted, signal: signal()) }

    private static func started() throws(CommandFailure) -> ChangeWatch {
        do {
            return try ChangeWatch()
        } catch {
            throw CommandFailure(GalleryError.bug("\(error)"))
        }
    }

    /// - Returns: nil if the work failed. The failure has been reported then.
    private func attempt<Value>(_ work: () throws(CommandFailure) -> Value) throws(CommandFailure) -> Value? {
        do {
            return try work()
        } catch {
            if running.isInterrupted { throw error }
            error.report()
            return nil
        }
    }

    private func paths(_ context: CommandContext, _ photos: Set<String>) -> WatchedPaths {
        context.settings.watched.union(WatchedPaths(files: photos))
    }

    /// The time until the next build if no file changes; nil if only a change starts a build.
    private func period(_ report: BuildReport?, _ context: CommandContext) -> Duration? {
        guard let report else { return nil }
        let options = context.settings.build
        let hasRemoteManifest = options.manifests.contains { if case .remote = $0 { true } else { false } }
        guard report.hasRemotePhotos || hasRemoteManifest else { return nil }
        guard case .fixed(let age) = options.maxAge else { return Self.remotePeriod }
        return max(age, Self.shortestPeriod)
    }
}

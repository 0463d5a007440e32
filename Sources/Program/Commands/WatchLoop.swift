internal import Downloads
internal import Gallery
internal import Watching

/// `build --watch`: builds again whenever something changes that the site is made from, until a signal ends it. A
/// build that fails is told of, and the next change is waited for.
struct WatchLoop {
    let running: BuildController
    /// The signal that ended it.
    let signal: () -> Int32?
    /// - Returns: the settings too by which it was built.
    let build: (CommandContext) throws(CommandFailure) -> (BuildReport, CommandContext)
    let summary: (BuildReport, CommandContext) -> BuildSummary

    /// How often remote photos are revalidated, unless `--max-age` gives a period.
    private static let remotePeriod = Duration.seconds(300)
    /// The pause after a failed build, and the shortest period of revalidation.
    private static let retryPeriod = Duration.seconds(60)
    private static let shortestPeriod = Duration.seconds(10)

    /// - Parameter next: the settings as they are when the next build begins.
    /// - Throws: only when it is interrupted, or can't begin.
    func run(
        from first: CommandContext, next: () throws(CommandFailure) -> CommandContext
    ) throws(CommandFailure) {
        let watch = try Self.started()
        running.whenInterrupted { watch.wake() }
        var context = first
        var photos: Set<String> = []
        var hasSaidSo = false
        while true {
            _ = watch.cover(paths(context, photos))
            let built = try attempt { () throws(CommandFailure) in try build(context) }
            if let built { context = built.1 }
            let report = built?.0
            if let report {
                photos = report.files
                if !report.changedNothing || !hasSaidSo { summary(report, context).print(to: context.console) }
            }
            if !hasSaidSo { context.console.say("Watching; Ctrl-C ends it.") }
            hasSaidSo = true
            // Files that were not watched during the build may have changed since they were read.
            let mayHaveMissed = watch.cover(paths(context, photos))
            guard mayHaveMissed || watch.wait(for: period(report, context)) != .woken else { throw interruption }
            var told: String?
            while true {
                let awaited: WatchedPaths
                do throws(CommandFailure) {
                    context = try next()
                    break
                } catch {
                    if running.isInterrupted { throw error }
                    if error.message != told { error.report() }
                    told = error.message
                    awaited = error.awaited
                }
                // Files that the settings name may have appeared since they were read.
                let mayHaveMissed = watch.cover(paths(context, photos).union(awaited))
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

    /// - Returns: nil after a failure that was told of.
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

    /// The time until the next build without a change; nil if only a change starts one.
    private func period(_ report: BuildReport?, _ context: CommandContext) -> Duration? {
        guard let report else { return Self.retryPeriod }
        let options = context.settings.build
        let hasRemoteManifest = options.manifests.contains { if case .remote = $0 { true } else { false } }
        guard report.hasRemotePhotos || hasRemoteManifest else { return nil }
        guard case .fixed(let age) = options.maxAge else { return Self.remotePeriod }
        return max(age, Self.shortestPeriod)
    }
}

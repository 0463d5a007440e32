internal import Downloads
internal import Foundation
internal import Gallery
internal import PhotoModel
internal import Watching

/// `build --watch`: builds again whenever a file that the site is made from changes, until a signal ends the loop. If a
/// build fails, the loop reports the failure and waits for the next change.
struct WatchLoop {
    let running: BuildController
    /// The signal that ended the loop; nil if none did.
    let signal: () -> Int32?
    let build: BuildRun

    /// The period of revalidation of remote photos, unless `--max-age` gives another one.
    private static let remotePeriod = Duration.seconds(300)
    /// The pause after a failed build or publication.
    private static let retryPeriod = Duration.seconds(60)
    /// The shortest time between two builds if no file changes.
    private static let shortestPeriod = Duration.seconds(10)

    /// - Parameter next: a closure that reads the settings again before each further build.
    /// - Throws: `CommandFailure` if a signal ends the loop, or if watching can't begin.
    func run(
        from first: CommandContext, next: () throws(CommandFailure) -> CommandContext
    ) throws(CommandFailure) {
        let watch = try Self.started()
        running.whenInterrupted { watch.wake() }
        // A build that is stuck behind a lock does not answer, and the service manager ends the process.
        let service = ServiceStatus(first) { [running] in _ = running.slowest }
        defer { service.stopping() }
        service.ready()
        var context = first
        var photos: Set<String> = []
        var hasAnnounced = false
        while true {
            _ = watch.update(paths(context, photos))
            let outcome = build.run(context, printsSummary: { !$0.changedNothing || !hasAnnounced })
            context = outcome.context
            let report = outcome.report
            if let report { photos = report.files }
            if let failure = outcome.failure {
                if running.isInterrupted { throw failure.exitCode.isSignal ? interruption : failure }
                failure.report()
            }
            service.show(status(outcome))
            if !hasAnnounced { context.console.info("Watching for changes; press Ctrl-C to stop.") }
            hasAnnounced = true
            // Files that were not watched during the build might have changed since they were read.
            let mayHaveMissed = watch.update(paths(context, photos))
            let pause = outcome.failure != nil ? Self.retryPeriod : period(report, context)
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
                    service.show("The settings are invalid: \(error.shownMessages.first ?? "")")
                    printed = error.messages
                    awaited = error.awaited
                }
                // Files that the settings name might have appeared since the settings were read.
                let mayHaveMissed = watch.update(paths(context, photos).union(awaited))
                guard mayHaveMissed || watch.wait(for: nil) != .woken else { throw interruption }
            }
            service.show("Building")
        }
    }

    /// The end of the loop by a signal.
    private var interruption: CommandFailure { CommandFailure(.signal(signal() ?? SIGINT), "stopped watching") }

    private static func started() throws(CommandFailure) -> ChangeWatch {
        do {
            return try ChangeWatch()
        } catch {
            throw CommandFailure(GalleryError.bug("\(error)"))
        }
    }

    private func status(_ outcome: BuildRun.Outcome) -> String {
        if let failure = outcome.failure {
            return "The last build failed: \(failure.shownMessages.first ?? "exit code \(failure.exitCode.rawValue)")"
        }
        return outcome.report.map { "Watching. \(BuildSummary.counts($0))" } ?? "Watching"
    }

    private func paths(_ context: CommandContext, _ photos: Set<String>) -> WatchedPaths {
        context.settings.watched.union(WatchedPaths(files: photos))
    }

    /// The time until the next build if no file changes; nil if only a change starts a build.
    private func period(_ report: BuildReport?, _ context: CommandContext) -> Duration? {
        guard let report else { return nil }
        let options = context.settings.build
        let isRemote = report.hasRemotePhotos || options.hasRemoteManifest
        let isWithheld = report.marked.contains { [.changed, .suspicious].contains($0.mark.code) }
        let isFailing = !report.failed.isEmpty || !report.stale.isEmpty || isWithheld
        let revalidation =
            isRemote
            ? options.requestPeriod(usual: Self.remotePeriod, shortest: Self.shortestPeriod, isFailing: isFailing) : nil
        // A photo whose file does not change is marked in time, although nothing else starts a build. A pinned clock
        // never reaches that time.
        let due = options.isClockPinned ? nil : report.nextCheckForChange
        let change = due.map { max(.seconds($0 - options.now.seconds), Self.shortestPeriod) }
        return [revalidation, change].compactMap(\.self).min()
    }
}

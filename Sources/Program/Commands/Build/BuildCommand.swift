package import ArgumentParser
internal import Gallery
internal import Publish
internal import Synchronization

/// `gallerygen build`: builds the site, or brings it up to date.
package struct BuildCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Build the site, or bring it up to date.",
        discussion: """
            Downloads what is new or has changed, filters it, and publishes the pages. If a photo can't be fetched, \
            the build continues and shows a placeholder with the reason.

              gallerygen build
              gallerygen build --quiet /home/anna/holidays/photos.plist
              gallerygen build --dry-run --explain
              gallerygen build --publish anna@example.org:/srv/www/photos
              gallerygen build --shard 3/8 --store /mnt/work
            """)

    @OptionGroup var arguments: BuildArguments

    package init() {}

    package var given: GivenArguments { arguments.given }

    package func run() throws {
        let given = given
        if try SettingsListing.wasPrinted(given) { return }
        let context = try CommandContext(given, sendsRequests: true)
        if context.settings.isDryRun { return try dryRun(context) }
        let running = BuildController()
        let console = Mutex(context.console)
        // A warning that was printed for the last build is not repeated for the next one.
        let printedWarnings = Mutex(context.settings.warnings)
        @Sendable func next(_ given: GivenArguments) throws(CommandFailure) -> CommandContext {
            let next = try CommandContext(given, sendsRequests: true, printedWarnings: printedWarnings.withLock { $0 })
            printedWarnings.withLock { printed in printed += next.settings.warnings.filter { !printed.contains($0) } }
            return next
        }
        let signals = Signals(
            interrupt: { _ in running.interrupt() }, isBusy: { running.isCommitting }, suspend: { running.suspend() },
            resume: { running.resume() },
            status: { console.withLock { $0 }.printProgress() })
        /// Runs a build.
        /// - Returns: the report and the context of the build. The context differs from `first` if the build waited for
        ///   a lock, because settings are read again after that.
        func build(_ first: CommandContext) throws(CommandFailure) -> (BuildReport, CommandContext) {
            let context = Mutex(first)
            console.withLock { $0 = first.console }
            defer { context.withLock { $0 }.console.ended() }
            first.console.event("build-started") { event in
                event.add("version", Version.number)
                event.add("manifests", first.settings.build.manifests.map(\.shown))
                event.add("output", first.settings.build.output)
            }
            let start = ContinuousClock.now
            do {
                let emit: @Sendable (BuildEvent) -> Void = { event in
                    let (console, explains) = context.withLock { ($0.console, $0.settings.explains) }
                    Self.show(event, on: console, explains: explains, slowest: { running.slowest })
                }
                let shard = ShardBuild(first.settings.build, emit: emit)
                if shard == nil { UnusedMemory.stopReturning() }
                let build: any CancellableBuild =
                    shard
                    ?? Build(
                        first.settings.build,
                        rereading: {
                            let next = try next(first.given)
                            context.withLock { $0 = next }
                            console.withLock { $0 = next.console }
                            return next.settings.build
                        }, emit: emit)
                // Until the next build, a process that goes on needs little memory.
                var endsAfterBuild = false
                defer { if !endsAfterBuild { UnusedMemory.startReturning() } }
                let report = try running.run(build)
                let used = context.withLock { $0 }
                endsAfterBuild = used.settings.endsAfterBuild
                if endsAfterBuild { Self.keptUntilExit.withLock { $0 = build } }
                report.log(to: used.console, output: used.settings.build.output, time: .now - start)
                return (report, used)
            } catch {
                throw CommandFailure(error, signal: signals.interruptedBy, isLive: first.settings.build.isLive)
            }
        }
        let run = BuildRun(
            build: build, summary: summary,
            publish: { (context) throws(CommandFailure) in
                try publish(context, isCancelled: { running.isInterrupted }, signal: { signals.interruptedBy })
            }, isInterrupted: { running.isInterrupted })
        guard !context.settings.isWatching else {
            let loop = WatchLoop(running: running, signal: { signals.interruptedBy }, build: run)
            var later = given
            later.accepted = []
            return try loop.run(from: context) { () throws(CommandFailure) in try next(later) }
        }
        let outcome = run.run(context)
        if let failure = outcome.failure { throw failure }
        if outcome.exitCode != .success { throw CommandFailure(outcome.exitCode) }
    }

    /// The build after which the process soon ends. Its memory need not be released before.
    private static let keptUntilExit = Mutex<(any CancellableBuild)?>(nil)

    private static func show(
        _ event: BuildEvent, on console: Console, explains: Bool, slowest: @escaping @Sendable () -> SlowWork?
    ) {
        switch event {
        case .warning(let text): console.warn(text)
        case .waiting(let error): console.info("waiting: \(error.waitMessage)")
        case .remark(let text): console.remark(text)
        case .planned(let plan): if explains { PlanSummary(plan).explain(to: console) }
        case .needsMemory: UnusedMemory.startReturning()
        case .began(let total, let unchanged):
            console.event("work-started") { event in
                event.add("photos", total)
                event.add("unchanged", unchanged)
            }
            console.began(total: total, unchanged: unchanged, slowest: slowest)
        case .finished(let photo):
            console.finished(photo)
            console.finishedOne()
        }
    }

    /// Publishes the site that was built, if the settings name a target.
    /// - Returns: nil if they don't.
    private func publish(
        _ context: CommandContext, isCancelled: @escaping @Sendable () -> Bool, signal: () -> Int32?
    ) throws(CommandFailure) -> PublishReport? {
        guard let task = context.settings.publishing else { return nil }
        do {
            return try PublishRun(task, console: context.console, isCancelled: isCancelled).run()
        } catch {
            throw CommandFailure(error, signal: signal())
        }
    }

    private func summary(_ report: BuildReport, _ context: CommandContext) -> BuildSummary {
        BuildSummary(
            report, options: context.settings.build, listing: context.settings.listedProblems,
            statusCommand: given.statusCommand)
    }

    /// Prints the plan of a build, and changes nothing.
    private func dryRun(_ context: CommandContext) throws(CommandFailure) {
        let plan: PlanReport
        let interruption = ScratchInterruption()
        let signals = Signals(removing: interruption)
        defer { withExtendedLifetime(signals) {} }
        do {
            let console = context.console
            plan = try DryRun(
                context.settings.build, interruption: interruption, warn: console.warn, remark: console.remark
            ).run()
        } catch {
            throw CommandFailure(error)
        }
        try StandardOutput.write(PlanSummary(plan).text(withReasons: context.settings.explains))
    }
}

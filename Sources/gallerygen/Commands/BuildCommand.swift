internal import ArgumentParser
internal import Gallery

/// `gallerygen build`: the site is built, or brought up to date.
struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Build the site, or bring it up to date.")

    @OptionGroup var flags: SettingFlags
    @OptionGroup var buildFlags: BuildFlags

    func run() throws {
        let context = try CommandContext(flags: flags, buildFlags: buildFlags)
        let console = context.console
        if context.settings.isDryRun { return try dryRun(context) }
        let build = Build(context.settings.build) { event in
            switch event {
            case .warning(let text): console.warn(text)
            case .waiting(let error): console.say("waiting: \(error.message)")
            case .remark(let text): console.remark(text)
            case .planned(let plan):
                if context.settings.explains { PlanSummary(plan).explain(to: console) }
            case .began(let total): console.began(total: total)
            case .finished: console.finishedOne()
            }
        }
        let signals = Signals(
            interrupt: { build.cancel() }, suspend: { build.suspend() }, resume: { build.resume() },
            status: { console.line(console.standing) })
        let report: BuildReport
        do {
            report = try build.run()
            console.ended()
        } catch {
            console.ended()
            throw CommandFailure(error, signal: signals.interruptedBy)
        }
        BuildSummary(report, options: context.settings.build, statusCommand: flags.statusCommand).print(to: console)
        if context.settings.isStrict && !report.failed.isEmpty { throw CommandFailure(.photosFailed) }
    }

    /// Says what a build would do, and does nothing.
    private func dryRun(_ context: CommandContext) throws(CommandFailure) {
        let plan: PlanReport
        do {
            plan = try DryRun(context.settings.build, warn: context.console.warn).run()
        } catch {
            throw CommandFailure(error)
        }
        try StandardOutput.write(PlanSummary(plan).text(withReasons: context.settings.explains))
    }
}

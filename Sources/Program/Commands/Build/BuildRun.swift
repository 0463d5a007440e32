internal import Gallery
internal import PhotoModel
internal import Publish

/// One build with all that follows it: its summary, its publication, and the notifications about both.
struct BuildRun {
    struct Outcome {
        /// The settings and the console that the build used in the end.
        var context: CommandContext
        /// nil if the build failed.
        var report: BuildReport?
        /// Why the build or its publication failed; nil if neither did.
        var failure: CommandFailure?

        /// The exit code of a command that ends with this outcome.
        var exitCode: ExitCode {
            if let failure { return failure.exitCode }
            if context.settings.isStrict, let report, !report.failed.isEmpty || report.counts[.new, default: 0] > 0 {
                return .photosFailed
            }
            return context.settings.isStrictAboutStale && report?.isOutOfDate == true ? .photosFailed : .success
        }
    }

    let build: (CommandContext) throws(CommandFailure) -> (BuildReport, CommandContext)
    let summary: (BuildReport, CommandContext) -> BuildSummary
    /// Publishes the site after a build. The result is nil if there is no target.
    let publish: (CommandContext) throws(CommandFailure) -> PublishReport?
    let isInterrupted: @Sendable () -> Bool

    /// - Parameter printsSummary: whether the summary of a build is printed.
    func run(_ first: CommandContext, printsSummary: (BuildReport) -> Bool = { _ in true }) -> Outcome {
        let notifications = BuildNotifications(begin: first, isInterrupted: isInterrupted)
        var outcome = Outcome(context: first)
        var publication: PublishReport?
        var built: BuildSummary?
        do throws(CommandFailure) {
            let (report, used) = try build(first)
            (outcome.report, outcome.context) = (report, used)
            let summary = summary(report, used)
            built = summary
            if printsSummary(report) { summary.print(to: used.console) }
            publication = try publish(used)
            if let problem = publication?.problem { throw CommandFailure(.publish(problem)) }
        } catch {
            outcome.failure = error
        }
        notifications.end(outcome, publication, summary: built)
        return outcome
    }
}

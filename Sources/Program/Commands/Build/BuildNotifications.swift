internal import Dispatch
internal import Downloads
internal import Foundation
internal import Gallery
internal import Notifications
internal import PhotoModel
internal import Publish
internal import Synchronization

/// Sends the notifications about one build. If a notification fails, a warning says so, and nothing else follows from
/// it: neither the site nor the exit code depends on notifications.
final class BuildNotifications: Sendable {
    private let isInterrupted: @Sendable () -> Bool
    private let beginning = ContinuousClock.now
    /// The ping at the beginning runs in the background, so that the build begins at once.
    private let firstPing = DispatchGroup()
    private let firstProblem = Mutex<String?>(nil)

    /// The longest time of a ping.
    private static let pingLimit = Duration.seconds(5)
    /// The same after a signal, when the process has to end within two seconds.
    private static let lastPingLimit = Duration.seconds(1)

    /// Pings the service that a build begins.
    init(begin context: CommandContext, isInterrupted: @escaping @Sendable () -> Bool) {
        self.isInterrupted = isInterrupted
        guard let ping = context.settings.notifications.ping else { return }
        DispatchQueue.global().async(group: firstPing) { [self] in
            let problem = ping.send("start", body: "", limit: Self.pingLimit, isCancelled: isInterrupted)
            firstProblem.withLock { $0 = problem }
        }
    }

    /// - Parameters:
    ///   - publication: what was sent to the target; nil if there is no target, or if the publication broke off.
    ///   - summary: the summary of the build; nil if it failed.
    func end(_ outcome: BuildRun.Outcome, _ publication: PublishReport?, summary: BuildSummary?) {
        let time = ContinuousClock.now - beginning
        writeMetrics(outcome, time)
        runCommand(outcome, publication)
        sendPing(outcome, summary)
    }

    private func writeMetrics(_ outcome: BuildRun.Outcome, _ time: Duration) {
        let settings = outcome.context.settings
        guard let file = settings.notifications.metrics else { return }
        var metrics = BuildMetrics(gallery: settings.build.output)
        metrics.set(
            exitCode: outcome.exitCode.rawValue, time: time, receivedBytes: outcome.report?.transfers.bytes)
        if let report = outcome.report {
            metrics.set(photos: report.counts)
            metrics.set(
                marks: [("stale", report.stale.count)] + report.markCounts.map { ($0.rawValue, $1) })
        }
        if outcome.failure == nil { metrics.set(lastSuccess: Timestamp(seconds: Int64(Date().timeIntervalSince1970))) }
        do {
            try file.write(metrics)
        } catch {
            outcome.context.console.warn("metrics: \(file.path) can't be written: \(error.message)")
        }
    }

    private func sendPing(_ outcome: BuildRun.Outcome, _ summary: BuildSummary?) {
        guard let ping = outcome.context.settings.notifications.ping else { return }
        // Both pings together delay the end of the build by no more than the limit.
        let wasInterrupted = isInterrupted()
        let limit = wasInterrupted ? Self.lastPingLimit : Self.pingLimit
        let deadline = ContinuousClock.now + limit
        guard firstPing.wait(timeout: .now() + limit / .seconds(1)) == .success else {
            return outcome.context.console.warn("ping: \(ping.host) could not be told about the build: no answer")
        }
        let messages = outcome.failure?.shownMessages ?? []
        let body = ([summary?.text].compactMap(\.self) + messages.map { $0 + "\n" }).joined()
        let left = max(.milliseconds(1), deadline - .now)
        // A signal during this ping ends it, because it would hold up the end of the process.
        let problem = ping.send(String(outcome.exitCode.rawValue), body: body, limit: left) { [isInterrupted] in
            !wasInterrupted && isInterrupted()
        }
        // An interruption also ends the first ping, which says nothing about the service.
        if let problem = problem ?? (wasInterrupted ? nil : firstProblem.withLock { $0 }) {
            outcome.context.console.warn("ping: \(ping.host) could not be told about the build: \(problem)")
        }
    }

    private func runCommand(_ outcome: BuildRun.Outcome, _ publication: PublishReport?) {
        let settings = outcome.context.settings
        guard outcome.failure == nil || publication != nil, let report = outcome.report,
            let command = settings.notifications.command
        else { return }
        let files = publication.map { ChangesByPhase($0) } ?? ChangesByPhase(report.publication.files)
        guard !files.isEmpty else { return }
        let document = ChangeDocument(
            generator: Version.generator, title: report.title, time: settings.build.now,
            output: settings.build.output, target: publication == nil ? nil : settings.publishing?.address.shown,
            photos: report.changes, files: files)
        let console = outcome.context.console
        do {
            let output = try command.run(input: document.json, isCancelled: isInterrupted)
            for line in output.split(whereSeparator: \.isNewline) { console.detail("on-change: \(line)") }
        } catch {
            console.warn("on-change: the command has not done its work: \(error.message)")
        }
    }
}

internal import ArgumentParser
internal import Gallery
internal import PhotoModel
internal import Publish
internal import Synchronization

/// `gallerygen publish TARGET`: sends the site where it belongs, in the right order.
struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Send the site to a folder or a server, in the right order.",
        discussion: """
            Pictures go first, then pages, then the index and feeds, and removals last, so that no visitor meets a \
            page whose pictures are not there. Only files that gallerygen wrote are sent, overwritten or removed. \
            Files that nothing refers to any more are kept for a day (--keep-old), for pages in caches. A \
            publication that breaks off is completed by the next.

            The target is a folder, user@host:/path for rsync over ssh without a password prompt, or \
            s3://bucket/prefix, with the credentials, region and endpoint that the tools of AWS use \
            (AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL …). If you name no target, the `publish` \
            setting is used.

              gallerygen publish /srv/www/photos
              gallerygen publish --dry-run anna@example.org:/srv/www/photos
              gallerygen publish s3://example-photos/holidays
              gallerygen publish --plan --phase pictures example.org:/srv/www/photos | \\
                rsync -a --files-from=- public/ example.org:/srv/www/photos/
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder, user@host:/path, or s3://bucket/prefix. (default: the setting publish)", valueName: "target"),
        completion: .directory)
    var target: String?

    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: PublishCommandSettings.title) var publishFlags: SettingFlags<PublishCommandSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Flag(help: "Check every file at the target, and send those that are missing or changed.")
    var verify = false

    @Flag(help: "Only print what would be sent and removed.")
    var dryRun = false

    @Flag(help: "Only print what there is to send, phase by phase, as lists for rsync and rclone.")
    var plan = false

    @Option(help: "With --plan, print one phase.")
    var phase: PlanPhase?

    func validate() throws {
        if phase != nil && !plan { throw ValidationError("--phase needs --plan") }
        if plan && dryRun { throw ValidationError("--plan and --dry-run can't be used together") }
    }

    func run() throws {
        var flags = [locationFlags.texts, publishFlags.texts, messageFlags.texts]
        if let target { flags.append([SettingsTable.table.publishing.publish.name: target]) }
        let settings: PublishCommandOptions
        do {
            settings = try PublishCommandOptions(GivenArguments([], flags))
        } catch {
            throw CommandFailure(error.exitCode, error.message)
        }
        var task = settings.task
        task.options.verifies = verify
        let isInterrupted = Mutex(false)
        let console = settings.console
        let signals = Signals(
            interrupt: { _ in isInterrupted.withLock { $0 = true } }, isBusy: { false }, suspend: {}, resume: {},
            status: { console.printProgress() })
        let run = PublishRun(task, console: console, isCancelled: { isInterrupted.withLock { $0 } })
        do {
            if plan {
                try printPlan(run.publishing.remembered())
            } else if dryRun {
                let (plan, problem) = try run.publishing.planned()
                try printDryRun(plan, of: task, console)
                if let problem { throw GalleryError.publish(problem) }
            } else {
                if let problem = try run.run().problem { throw GalleryError.publish(problem) }
            }
        } catch let error as GalleryError {
            throw CommandFailure(error, signal: signals.interruptedBy)
        }
    }

    private func printDryRun(_ plan: PublicationPlan, of task: PublishTask, _ console: Console) throws {
        for file in plan.sends { try StandardOutput.write("send \(TerminalText.text(file.path))\n") }
        for path in plan.removals { try StandardOutput.write("remove \(TerminalText.text(path))\n") }
        console.info(
            "\(counted(plan.sends.count, "file")) would be sent to \(task.address.shown), "
                + "\(plan.removals.count) removed.")
    }

    /// Prints one path per line, with comments that rsync and rclone ignore in such lists.
    private func printPlan(_ plan: PublicationPlan) throws {
        for group in PublishGroup.allCases where phase == nil || phase?.rawValue == group.rawValue {
            if phase == nil { try StandardOutput.write("# \(group.rawValue)\n") }
            for file in plan.sends where file.phase.group == group { try StandardOutput.write(file.path + "\n") }
        }
        guard phase == nil || phase == .removals, !plan.removals.isEmpty else { return }
        if phase == nil { try StandardOutput.write("# removals\n") }
        // As comments in a list of all phases: what is to be removed can't be sent.
        for path in plan.removals { try StandardOutput.write((phase == nil ? "# " : "") + path + "\n") }
    }
}

/// A part of `publish --plan`.
enum PlanPhase: String, ExpressibleByArgument, CaseIterable {
    case pictures, pages, index, removals
}

/// The settings that `publish` has flags for.
struct PublishCommandSettings: SettingGroup {
    static let title = PublishSettings.title
    static let table = PublishCommandSettings()

    let maxDelete = PublishSettings.table.maxDelete
    let keepOld = PageSettings.table.keepOld
    let wait = RunSettings.table.wait
}

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
            page whose pictures are not there. Only files of gallerygen's are sent, overwritten and removed. What \
            nothing refers to any more stays for a day (--keep-old), for pages in caches. A publication that breaks \
            off is completed by the next.

            The target is a folder, user@host:/path for rsync over ssh, which asks for no password, or \
            s3://bucket/prefix, with the credentials, region and endpoint that the tools of AWS use \
            (AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL …). Without a target, that of the setting \
            publish is used.

              gallerygen publish /srv/www/photos
              gallerygen publish --dry-run anna@example.org:/srv/www/photos
              gallerygen publish s3://example-photos/holidays
              gallerygen publish --plan --phase pictures | rsync -a --files-from=- public/ example.org:/srv/www/photos/
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder, user@host:/path, or s3://bucket/prefix. (default: the setting publish)", valueName: "target"),
        completion: .directory)
    var target: String?

    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: PublishCommandSettings.title) var publishFlags: SettingFlags<PublishCommandSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Flag(help: "Ask the target for every file, and send what it lacks.")
    var verify = false

    @Flag(help: "Only print what would be sent and removed.")
    var dryRun = false

    @Flag(help: "Only print what there is to send, phase by phase, as lists for rsync and rclone.")
    var plan = false

    @Option(help: "With --plan, print one phase: pictures, pages, index or removals.")
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
        if plan { return try printPlan(task, settings.console) }
        if dryRun { return try printDryRun(task, settings.console) }
        let isInterrupted = Mutex(false)
        let console = settings.console
        let signals = Signals(
            interrupt: { isInterrupted.withLock { $0 = true } }, isBusy: { false }, suspend: {}, resume: {},
            status: { console.printProgress() })
        do {
            try PublishRun(task, console: console, isCancelled: { isInterrupted.withLock { $0 } }).run()
        } catch {
            throw CommandFailure(error, signal: signals.interruptedBy)
        }
    }

    private func printDryRun(_ task: PublishTask, _ console: Console) throws {
        do {
            let plan = try PublishRun(task, console: console, isCancelled: { false }).publishing.planned()
            for file in plan.sends { try StandardOutput.write("send \(TerminalText.text(file.path))\n") }
            for path in plan.removals { try StandardOutput.write("remove \(TerminalText.text(path))\n") }
            console.say(
                "\(counted(plan.sends.count, "file")) would be sent to \(task.address.shown), "
                    + "\(plan.removals.count) removed.")
        } catch let error as GalleryError {
            throw CommandFailure(error)
        }
    }

    /// Prints paths a line, with comments that rsync and rclone ignore in such lists.
    private func printPlan(_ task: PublishTask, _ console: Console) throws {
        let plan: PublicationPlan
        do {
            plan = try PublishRun(task, console: console, isCancelled: { false }).publishing.remembered()
        } catch {
            throw CommandFailure(error)
        }
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

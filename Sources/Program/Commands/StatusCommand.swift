internal import ArgumentParser
internal import Gallery
internal import PhotoModel
internal import Site

/// `gallerygen status`: prints the state and reason of each photo after the last build.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of each photo after the last build, and why it failed.",
        discussion: """
            On a terminal this is a table that fits its width; elsewhere nothing is cut. --failed, --stale, --marked, \
            --new and --moved show only such photos, and can be combined.

              gallerygen status --failed --stale
              gallerygen status --json > status.json
            """)

    @OptionGroup var manifests: ManifestNames
    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: StatusSettings.title) var statusFlags: SettingFlags<StatusSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Flag(help: "Show the photos that failed.")
    var failed = false

    @Flag(help: "Show the photos whose last good version stays because they can't be refreshed.")
    var stale = false

    @Flag(help: "Show the photos that are frozen, changed, suspicious or archived.")
    var marked = false

    @Flag(help: "Show the photos that no build has worked on.")
    var new = false

    @Flag(help: "Show the photos whose address has moved permanently, by the last answers of the servers.")
    var moved = false

    @Flag(help: "Print status.json, with attempts, checked, etag and moved added.")
    var json = false

    private var isFiltered: Bool { failed || stale || marked || new || moved }

    func validate() throws {
        if json && isFiltered {
            throw ValidationError("--json shows all photos, without --failed, --stale, --marked, --new and --moved")
        }
    }

    func run() throws {
        let given = GivenArguments(manifests, [locationFlags.texts, statusFlags.texts, messageFlags.texts])
        let context = try CommandContext(given, sendsRequests: false)
        let report: StatusReport
        do {
            report = try StatusReport(context.settings.build, warn: context.console.warn)
        } catch {
            throw CommandFailure(error)
        }
        if json {
            try StandardOutput.write(report.json())
        } else {
            let isQuiet = context.settings.verbosity == .quiet
            // The rows are computed lazily, because those of a large gallery would take much memory.
            let rows = report.content.photos.lazy
                .map { StatusTable.Row(photo: $0, moved: report.extras[$0.slug]?.moved) }
                .filter { isShown($0) && (!isQuiet || $0.needsAttention) }
            let table = StatusTable(of: rows, columns: StandardOutput.columns, isColoured: isColoured(context))
            var count = 0
            for row in rows {
                try StandardOutput.write(table.line(row))
                count += 1
            }
            if isFiltered { context.console.info("\(count) of \(counted(report.content.photos.count, "photo"))") }
        }
    }

    private func isShown(_ row: StatusTable.Row) -> Bool {
        let photo = row.photo
        return !isFiltered || failed && photo.state == .failed || stale && photo.stale != nil
            || marked && !photo.marks.isEmpty || new && photo.state == .new || moved && row.moved != nil
    }

    private func isColoured(_ context: CommandContext) -> Bool {
        context.settings.colour.isShown(in: context.environment, onTerminal: StandardOutput.isTerminal)
    }
}

/// The settings of pages that `status --json` shows. All other settings only matter to a build.
struct StatusSettings: SettingGroup {
    static let title = PageSettings.title
    static let table = StatusSettings()

    let title = PageSettings.table.title
}

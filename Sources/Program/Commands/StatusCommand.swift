internal import ArgumentParser
internal import Gallery
internal import PhotoModel
internal import Site

/// `gallerygen status`: prints each photo's state and reason, as the last build left it.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of each photo after the last build, and why it failed.")

    @OptionGroup var manifests: ManifestNames
    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: StatusSettings.title) var statusFlags: SettingFlags<StatusSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Flag(help: "Print status.json, with attempts, checked and etag added.")
    var json = false

    func run() throws {
        let given = GivenArguments(manifests, [locationFlags.texts, statusFlags.texts, messageFlags.texts])
        let context = try CommandContext(given, asksServers: false)
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
            for photo in report.content.photos where !isQuiet || Self.reason(photo) != nil {
                try StandardOutput.write(line(photo, isColoured: isColoured(context)) + "\n")
            }
        }
    }

    private func isColoured(_ context: CommandContext) -> Bool {
        context.settings.colour.isShown(in: context.environment, onTerminal: StandardOutput.isTerminal)
    }

    private static func reason(_ photo: SitePhoto) -> Reason? { photo.reason ?? photo.stale?.reason }

    /// The line of a photo: "failed      Animals / Two Dogs  File not found: … [missing-file]".
    private func line(_ photo: SitePhoto, isColoured: Bool) -> String {
        let state = photo.stale == nil ? photo.state.rawValue : "stale"
        let name = (photo.album + [photo.name]).joined(separator: " / ")
        let reason = Self.reason(photo)
        let rest = TerminalText.text(name + (reason.map { "  \($0.message) [\($0.code.rawValue)]" } ?? ""))
        let padded = state.padding(to: 12)
        guard isColoured, reason != nil else { return padded + rest }
        return "\u{1B}[\(photo.stale == nil ? 31 : 33)m\(padded)\u{1B}[0m\(rest)"
    }
}

/// The settings of pages that `status --json` shows. The others are for the work of a build.
struct StatusSettings: SettingGroup {
    static let title = PageSettings.title
    static let table = StatusSettings()

    let title = PageSettings.table.title
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}

internal import ArgumentParser
internal import Gallery
internal import PhotoModel
internal import Site

/// `gallerygen status`: each photo's state and reason, as the last build left it.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show each photo's state and reason, as the last build left it.")

    @OptionGroup var flags: SettingFlags
    @Flag(help: "Print status.json, with attempts, checked and etag added.")
    var json = false

    func run() throws {
        let context = try CommandContext(flags: flags, buildFlags: nil)
        let report: StatusReport
        do {
            report = try StatusReport(context.settings.build)
        } catch {
            throw CommandFailure(error)
        }
        if json {
            try StandardOutput.write(report.json())
        } else {
            for photo in report.content.photos { try StandardOutput.write(Printable.text(Self.line(photo)) + "\n") }
        }
    }

    /// "failed      Animals / Two Dogs  File not found: … [missing-file]"
    private static func line(_ photo: SitePhoto) -> String {
        let state = photo.stale == nil ? photo.state.rawValue : "stale"
        let name = (photo.album + [photo.name]).joined(separator: " / ")
        let padded = state.padding(to: 12)
        guard let reason = photo.reason ?? photo.stale?.reason else { return padded + name }
        return "\(padded)\(name)  \(reason.message) [\(reason.code.rawValue)]"
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}

internal import ArgumentParser
internal import Gallery
internal import Manifest
internal import PhotoModel

/// `gallerygen check`: reads manifests and settings, reports mistakes, and downloads no photo.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check manifests and settings for mistakes without downloading anything.",
        discussion: """
            One run finds all mistakes of the settings, the first in each manifest that keeps it from being read, \
            entries that will fail, and local files that are missing. A photo that will only be stale, because its \
            earlier picture stays, is named as such. The exit code is the one that a build would have. With --strict, \
            it is 1 for warnings too.

              gallerygen check
              gallerygen check --strict photos.plist
            """)

    @OptionGroup var arguments: BuildArguments

    func run() throws {
        let given = arguments.given
        if try SettingsListing.wasPrinted(given) { return }
        let context = try CommandContext(given, sendsRequests: true, keepsErrors: true)
        let console = context.console
        let interruption = ScratchInterruption()
        let signals = Signals(removing: interruption)
        defer { withExtendedLifetime(signals) {} }
        let check = Check(context.settings.build, interruption: interruption, warn: console.warn)
        // A quiet check prints what it fails for.
        let show = context.settings.isStrict ? console.warn : console.remark
        for warning in check.warnings { show(warning.description) }
        for entry in check.invalidEntries {
            let stays = entry.keepsPicture ? " The earlier picture stays, marked as stale." : ""
            let hint = entry.hint.map { " " + $0 } ?? ""
            console.line(
                "\(entry.position): '\(entry.name)': \(entry.reason.message)\(stays)\(hint) "
                    + "[\(entry.reason.code.rawValue)]",
                severity: entry.keepsPicture ? .warning : .error)
        }
        var failures = check.errors.map { CommandFailure($0) }
        if !context.settings.errors.isEmpty { failures.insert(CommandFailure(context.settings.errors), at: 0) }
        if let first = failures.first {
            throw CommandFailure(first.exitCode, messages: failures.flatMap(\.messages))
        }
        console.info(Self.summary(check))
        let isFailure = context.settings.isStrict && (check.failing > 0 || !check.warnings.isEmpty)
        let isOutOfDate = context.settings.isStrictAboutStale && check.stale > 0
        if isFailure || isOutOfDate { throw CommandFailure(.photosFailed) }
    }

    /// The closing sentence, such as "38 photos in 2 albums; 3 will fail, 1 will be stale, 1 warning."
    private static func summary(_ check: Check) -> String {
        var problems: [String] = []
        if check.failing > 0 { problems.append("\(check.failing) will fail") }
        if check.stale > 0 { problems.append("\(check.stale) will be stale") }
        if !check.warnings.isEmpty { problems.append(counted(check.warnings.count, "warning")) }
        let albums = check.albums == 0 ? "" : " in \(counted(check.albums, "album"))"
        let verdict = problems.isEmpty ? "no problems" : problems.joined(separator: ", ")
        return "\(counted(check.photos, "photo"))\(albums); \(verdict)."
    }
}

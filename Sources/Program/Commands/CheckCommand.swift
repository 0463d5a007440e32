internal import ArgumentParser
internal import Gallery
internal import Manifest
internal import PhotoModel

/// `gallerygen check`: reads manifests and settings, says what is wrong, downloads nothing.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read manifests and settings, say what is wrong, download nothing.")

    @OptionGroup var flags: SettingFlags
    @OptionGroup var buildFlags: BuildFlags

    func run() throws {
        let context = try CommandContext(flags: flags, buildFlags: buildFlags)
        let console = context.console
        let check: Check
        do {
            check = try Check(context.settings.build)
        } catch {
            throw CommandFailure(error)
        }
        for warning in check.warnings { console.remark(warning.description) }
        for entry in check.badEntries {
            console.line("\(entry.position): '\(entry.name)': \(entry.reason.message) [\(entry.reason.code.rawValue)]")
        }
        let photos = check.photos == 1 ? "1 photo" : "\(check.photos) photos"
        let verdict = check.badEntries.isEmpty ? "nothing wrong" : "\(check.badEntries.count) will fail"
        let albums = check.albums == 1 ? "1 album" : "\(check.albums) albums"
        console.say("\(photos) in \(albums); \(verdict).")
        if context.settings.isStrict && !check.badEntries.isEmpty { throw CommandFailure(.photosFailed) }
    }
}

internal import ArgumentParser
internal import Gallery
internal import Manifest
internal import PhotoModel

/// `gallerygen check`: reads manifests and settings, says what is wrong, downloads nothing.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check manifests and settings for mistakes without downloading anything.")

    /// The manifests and flags of `build`, which are those of `check` too.
    @OptionGroup var build: BuildCommand

    func run() throws {
        let context = try CommandContext(build.given, asksServers: true)
        let console = context.console
        let check: Check
        do {
            check = try Check(context.settings.build)
        } catch {
            throw CommandFailure(error)
        }
        for warning in check.warnings { console.remark(warning.description) }
        for entry in check.badEntries {
            let hint = entry.hint.map { " " + $0 } ?? ""
            console.line(
                "\(entry.position): '\(entry.name)': \(entry.reason.message)\(hint) [\(entry.reason.code.rawValue)]")
        }
        console.say(Self.summary(check))
        if context.settings.isStrict && !check.isClean { throw CommandFailure(.photosFailed) }
    }

    /// The closing sentence: "38 photos in 2 albums; 3 will fail, 1 warning."
    private static func summary(_ check: Check) -> String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        var problems: [String] = []
        if !check.badEntries.isEmpty { problems.append("\(check.badEntries.count) will fail") }
        if !check.warnings.isEmpty { problems.append(count(check.warnings.count, "warning")) }
        let albums = check.albums == 0 ? "" : " in \(count(check.albums, "album"))"
        let verdict = problems.isEmpty ? "no problems" : problems.joined(separator: ", ")
        return "\(count(check.photos, "photo"))\(albums); \(verdict)."
    }
}

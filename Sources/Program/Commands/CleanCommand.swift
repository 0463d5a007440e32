internal import ArgumentParser
internal import Foundation
internal import Gallery

/// `gallerygen clean`: removes what gallerygen wrote, and nothing else.
struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean", abstract: "Remove what gallerygen wrote in the output folder, and nothing else.",
        discussion: """
            Files that somebody has changed since stay and are named; so do all files that gallerygen did not write. The \
            state folder keeps what it has, so that the next build need not download anything again.

            With --unused the site stays, and the state folder loses what no photo of any of its galleries needs any \
            more. A gallery that is gone needs its originals until it is forgotten: --forget takes the path of its list or \
            of its site. The site itself stays; a gallery that is built again is learnt again.
            """)

    @OptionGroup var manifests: ManifestNames
    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Flag(help: "Tidy up the state folder instead: remove originals and pictures that no photo needs any more.")
    var unused = false

    @Option(help: "Let the ledger forget the gallery with this list or site; with --unused, tidy up after that.")
    var forget: String?

    @Flag(help: "Only print what would be removed.")
    var dryRun = false

    func run() throws {
        let settings: CleanSettings
        do {
            settings = try CleanSettings(GivenArguments(manifests, [locationFlags.texts, messageFlags.texts]))
        } catch {
            throw CommandFailure(error.exitCode, error.message)
        }
        do {
            if let forget { try forgetGallery(forget, settings) }
            if unused { try cleanState(settings) } else if forget == nil { try cleanSite(settings) }
        } catch let error as GalleryError {
            throw CommandFailure(error)
        }
    }

    private func cleanSite(_ settings: CleanSettings) throws {
        let console = settings.console
        let clean = SiteClean(
            output: settings.output, state: settings.state, holder: settings.holder, warn: { console.warn($0) })
        let outcome = dryRun ? try clean.plan() : try clean.run()
        for path in outcome.changed {
            console.warn("\(settings.output)/\(path) was changed since gallerygen wrote it, and stays")
        }
        try report(outcome.removed, to: console)
        if outcome.removed.isEmpty {
            console.say("Nothing to remove: no file in \(settings.output) is gallerygen's.")
        } else {
            let count = Self.count(outcome.removed.count, "file")
            console.say("\(count) \(dryRun ? "would be removed" : "removed") from \(settings.output).")
        }
    }

    private func forgetGallery(_ text: String, _ settings: CleanSettings) throws {
        let forgetting = GalleryForgetting(state: settings.state, holder: settings.holder)
        let name = settings.name(text)
        let galleries = dryRun ? try forgetting.plan(name) : try forgetting.run(name)
        for gallery in galleries {
            if dryRun {
                try StandardOutput.write(TerminalText.text(gallery) + "\n")
            } else {
                settings.console.say("Forgot \(gallery).")
            }
        }
    }

    private func cleanState(_ settings: CleanSettings) throws {
        let console = settings.console
        let clean = StateClean(state: settings.state, holder: settings.holder)
        let outcome = dryRun ? try clean.plan() : try clean.run()
        try report(outcome.removed, to: console)
        if outcome.removed.isEmpty {
            console.say("Nothing to remove: all in \(settings.state.path) is needed.")
        } else {
            console.say(
                "\(Self.count(outcome.removed.count, "file")) with \(outcome.bytes) bytes "
                    + "\(dryRun ? "would be removed" : "removed") from \(settings.state.path).")
        }
    }

    /// Prints the paths: on standard output for a dry run, whose result they are; else as details on standard error.
    private func report(_ paths: [String], to console: Console) throws {
        for path in paths {
            if dryRun {
                try StandardOutput.write(TerminalText.text(path) + "\n")
            } else {
                console.detail("removed \(path)")
            }
        }
    }

    private static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }
}

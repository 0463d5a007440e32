internal import ArgumentParser
internal import Foundation
internal import Gallery
internal import PhotoModel

/// `gallerygen clean`: removes the files that gallerygen wrote, and nothing else.
struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean", abstract: "Remove what gallerygen wrote in the output folder, and nothing else.",
        discussion: """
            Files that were changed after gallerygen wrote them are kept and listed; a changed picture is known by \
            its size. Other files are kept. The state folder is kept too, so that the next build does not download \
            anything again.

            With --unused the site is kept, and originals and pictures that no gallery of the state folder needs are \
            removed from it. A deleted gallery needs its originals until it is forgotten: give --forget the path of \
            its list or site. Its site is kept; building the gallery again records it again.

              gallerygen clean --dry-run
              gallerygen clean --unused
            """)

    @OptionGroup var manifests: ManifestNames
    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    @Flag(help: "Clean the state folder instead: remove originals and pictures that no photo needs.")
    var unused = false

    @Option(
        help: ArgumentHelp(
            "Forget the gallery with this list or site; with --unused, clean the state folder afterwards.",
            valueName: "list"),
        completion: .file())
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
            // A misspelt name must not lead to the site of another list in the same folder.
            for manifest in settings.manifests {
                try manifest.checkExists(advice: "if it was deleted, name its site with --output")
            }
            let forgotten = try forget.map { try forgetGallery($0, settings) }
            if unused {
                try cleanState(settings, forgotten)
            } else if forgotten == nil {
                try cleanSite(settings)
            }
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
            console.warn("\(settings.output)/\(path) was changed after gallerygen wrote it and is kept")
        }
        try report(outcome.removed, to: console)
        if outcome.removed.isEmpty {
            console.info("Nothing to remove: \(settings.output) has no files of gallerygen's.")
        } else {
            let count = counted(outcome.removed.count, "file")
            console.info("\(count) \(dryRun ? "would be removed" : "removed") from \(settings.output).")
        }
    }

    private func forgetGallery(_ text: String, _ settings: CleanSettings) throws -> GalleryForgetting.Found {
        let forgetting = GalleryForgetting(state: settings.state, holder: settings.holder)
        let name = settings.name(text)
        let found = dryRun ? try forgetting.plan(name) : try forgetting.run(name)
        for gallery in found.lines {
            if dryRun {
                try StandardOutput.write(TerminalText.text(gallery) + "\n")
            } else {
                settings.console.info("Forgot \(gallery).")
            }
        }
        return found
    }

    private func cleanState(_ settings: CleanSettings, _ forgotten: GalleryForgetting.Found?) throws {
        let console = settings.console
        let clean = StateClean(state: settings.state, holder: settings.holder)
        let outcome = dryRun ? try clean.plan(without: forgotten) : try clean.run()
        try report(outcome.removed, to: console)
        if outcome.removed.isEmpty {
            console.info("Nothing to remove: everything in \(settings.state.path) is needed.")
        } else {
            console.info(
                "\(counted(outcome.removed.count, "file")) with \(counted(outcome.bytes, "byte")) "
                    + "\(dryRun ? "would be removed" : "removed") from \(settings.state.path).")
        }
    }

    /// Prints the paths. In a dry run they are the result and go to standard output; otherwise they are details and go
    /// to standard error.
    private func report(_ paths: [String], to console: Console) throws {
        for path in paths {
            if dryRun {
                try StandardOutput.write(TerminalText.text(path) + "\n")
            } else {
                console.detail("removed \(path)")
            }
        }
    }
}

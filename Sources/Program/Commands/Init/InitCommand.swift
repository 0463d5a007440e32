internal import ArgumentParser
internal import Foundation

/// `gallerygen init`: starts a gallery, or copies the templates out to be edited. Overwrites nothing.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Start a gallery, or copy the templates for editing with --templates.",
        discussion: """
            Writes photos.plist, the list of photos, and gallerygen.yaml, the settings. With --templates it copies the \
            templates, the texts of the pages and the assets to templates/, even if the folder already has a gallery.
            """)

    @Argument(help: "The folder of the gallery, created if it does not exist. (default: the current folder)")
    var folder = "."

    @Flag(help: "Copy the templates, texts and assets to templates/ for editing.")
    var templates = false

    func run() throws {
        let current = FileManager.default.currentDirectoryPath
        let target = FileCreator(folder: folder.hasPrefix("/") ? folder : current + "/" + folder, shown: folder)
        let start = GalleryScaffold.files
        let isStarted = start.keys.contains { target.isTaken($0) }
        var files = templates ? GalleryScaffold.templates : start
        if templates && !isStarted { files.merge(start) { $1 } }
        do {
            try target.write(files)
        } catch {
            throw CommandFailure(error.exitCode, error.message)
        }
        for name in (templates ? ["templates/"] : []) + start.keys.sorted()
        where name.hasSuffix("/") || files[name] != nil {
            StandardError.write(TerminalText.text("Wrote \(target.shownPath(name))") + "\n")
        }
        StandardError.write(TerminalText.text("Next: \(nextCommand)") + "\n")
    }

    private var nextCommand: String {
        let change = folder == "." ? "" : "cd \(ShellWord.quoted(folder)) && "
        return change + "gallerygen build" + (templates ? " --templates templates" : "")
    }
}

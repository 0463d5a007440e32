internal import ArgumentParser
internal import Foundation
internal import Manifest

/// `gallerygen init`: starts a gallery, makes its list from an existing source, or copies the templates for editing. It
/// overwrites nothing.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Start a gallery, make its list from what you have with --from, or copy the templates with --templates.",
        discussion: """
            Writes photos.plist, the list of photos, and gallerygen.yaml, the settings. With --templates it copies the \
            templates, the texts of the pages and the assets to templates/, even if the folder already has a gallery.

            With --from it makes the list from a folder of pictures (folders in it become albums), a text of \
            addresses, a CSV with a header, JSON or JSON Lines, an RSS or Atom feed, a web page, a IIIF manifest or \
            collection, a response of the API of Wikimedia Commons, or another gallery's status.json: a path, an \
            http(s) address, or - for standard input. With --update it merges the same source again into a list that \
            is there: new entries are added, those that left the source are marked by a comment, and what you changed \
            stays.

            With --from photos.plist --follow-moves it writes that list anew: photos that have moved permanently, by \
            the last answers of their servers, get their new addresses. Everything else in the list stays.

              gallerygen init --from .
              gallerygen init --from https://example.org/feed.xml holidays
              gallerygen init --from photos.csv --update
              gallerygen init --from photos.plist --follow-moves
            """)

    @Argument(
        help: "The folder of the gallery, created if it does not exist.",
        completion: .directory)
    var folder = "."

    @Flag(help: "Copy the templates, texts and assets to templates/ for editing.")
    var templates = false

    @Option(
        help: ArgumentHelp(
            "Make the list from this folder, file or http(s) address; - for standard input.", valueName: "source"),
        completion: .file())
    var from: String?

    @Flag(help: "With --from, merge into the list that is there.")
    var update = false

    @Flag(help: "With --from, give the photos of that list the addresses that they have moved to permanently.")
    var followMoves = false

    func validate() throws {
        if folder.isEmpty { throw ValidationError("the name of the folder is empty; leave it out to use this folder") }
        if from == "" { throw ValidationError("the source of --from is empty") }
        if followMoves {
            if from == nil { throw ValidationError("--follow-moves needs --from") }
            if update || folder != "." {
                throw ValidationError(
                    "--follow-moves changes the list that --from names, without --update and a folder")
            }
        }
        if update && from == nil { throw ValidationError("--update needs --from") }
        if templates && from != nil { throw ValidationError("--templates and --from can't be used together") }
    }

    func run() throws {
        if let from, followMoves { return try MoveFollowing(list: from).run() }
        if let from { return try ListImport(source: from, folder: folder, updates: update).run() }
        let environment: ProcessEnvironment
        do { environment = try ProcessEnvironment.read() } catch {
            throw CommandFailure(error.exitCode, error.message)
        }
        let target = FileCreator(folder: environment.absolute(folder), shown: folder)
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

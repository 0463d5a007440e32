internal import Foundation
internal import Gallery
internal import Importing
internal import Manifest
internal import PhotoModel

/// `gallerygen init --from`: makes the list of a gallery from an existing source, or merges the source into the list.
struct ListImport {
    private static let listName = "photos.plist"
    private static let settingsName = "gallerygen.yaml"

    /// The source: a folder, a file, an http(s) address, or "-".
    let source: String
    /// The folder of the gallery, as the user named it.
    let folder: String
    /// Whether the source is merged into an existing list.
    let updates: Bool

    func run() throws {
        let environment = try environment()
        let target = environment.absolute(folder)
        let files = FileCreator(folder: target, shown: folder)
        let isThere = files.isTaken(Self.listName)
        guard updates || !isThere else {
            throw CommandFailure(
                .cannotCreate,
                "\(files.shownPath(Self.listName)) already exists and is not overwritten; merge into it with --update")
        }
        let list = target + "/" + Self.listName
        var manifests = ManifestNames()
        manifests.names = [list]
        // Requests are sent with the settings of the gallery.
        let context = try CommandContext(GivenArguments(manifests, []), sendsRequests: true)
        let input = try input(environment)
        // An interrupted import removes the documents that it has fetched.
        let interruption = ScratchInterruption()
        let signals = Signals(
            interrupt: { _ in interruption.interrupt() }, isBusy: { false }, suspend: {}, resume: {}, status: {})
        let imported: ImportedList
        do {
            imported = try SourceImport(context.settings.build, listIn: target, interruption: interruption)
                .list(of: input)
        } catch {
            throw CommandFailure(error, signal: signals.interruptedBy)
        }
        if let signal = signals.interruptedBy { throw CommandFailure(.interrupted, signal: signal) }
        let identity = identity(of: input, from: target)
        let document: ImportedDocument
        do {
            if isThere {
                let existing = try existing(list, shown: files.shownPath(Self.listName))
                document = try ImportedDocument(
                    merging: imported, of: identity, into: existing, list: list,
                    today: String(environment.now.description.prefix(10)))
                try update(list, from: existing, to: document, context, files)
            } else {
                document = try ImportedDocument(imported, of: identity, list: list)
                try create(document, files)
            }
        } catch let error as ImportError {
            throw CommandFailure(.source(shown: files.shownPath(Self.listName), error))
        }
        for warning in document.warnings { context.console.warn("\(input.shown): \(warning)") }
        let change = folder == "." ? "" : "cd \(ShellWord.quoted(folder)) && "
        StandardError.write(TerminalText.text("Next: \(change)gallerygen build") + "\n")
    }

    private func environment() throws(CommandFailure) -> ProcessEnvironment {
        do {
            return try ProcessEnvironment.read()
        } catch {
            throw CommandFailure(error.exitCode, error.message)
        }
    }

    private func input(_ environment: ProcessEnvironment) throws(CommandFailure) -> ManifestInput {
        do {
            let inputs = try ManifestArguments([source], environment: environment).inputs { () throws(SettingsError) in
                try StandardInput.read()
            }
            return inputs[0]
        } catch {
            throw CommandFailure(error.exitCode, error.message)
        }
    }

    /// The name of the source for people, and its identity. A path is relative to the list's folder, so that source and
    /// list can be moved together.
    private func identity(of input: ManifestInput, from target: String) -> (shown: String, identity: String) {
        switch input {
        case .file(let path, _):
            let relative = FilePath.relative(path, to: target)
            let name = relative.isEmpty ? "." : relative
            return (name, name)
        case .standardInput: return (input.shown, "-")
        case .remote(let url): return (input.shown, url)
        }
    }

    private func existing(_ list: String, shown: String) throws(CommandFailure) -> [UInt8] {
        do {
            let input = ManifestInput.file(path: list, shown: shown)
            let bytes = try input.localBytes() ?? []
            do {
                _ = try ManifestReader(origin: input.origin).read(bytes)
            } catch {
                throw GalleryError.manifest(error)
            }
            return bytes
        } catch {
            throw CommandFailure(error as? GalleryError ?? .bug("\(error)"))
        }
    }

    private func create(_ document: ImportedDocument, _ files: FileCreator) throws(CommandFailure) {
        var written = [Self.listName: document.bytes]
        // Existing settings are kept.
        if !files.isTaken(Self.settingsName) { written[Self.settingsName] = GalleryScaffold.files[Self.settingsName] }
        do {
            try files.write(written)
        } catch {
            throw CommandFailure(error.exitCode, error.message)
        }
        print("Wrote \(files.shownPath(Self.listName)) with \(counted(document.added, "photo"))")
        if written.count > 1 { print("Wrote \(files.shownPath(Self.settingsName))") }
    }

    private func update(
        _ list: String, from existing: [UInt8], to document: ImportedDocument, _ context: CommandContext,
        _ files: FileCreator
    ) throws(CommandFailure) {
        let shown = files.shownPath(Self.listName)
        guard document.bytes != existing else {
            print("\(shown) is up to date")
            return
        }
        try UserFileReplacement.replace(list, shown: shown, with: document.bytes)
        var changes = ["\(document.added) added"]
        if document.missing > 0 { changes.append("\(document.missing) no longer in the source and marked in the list") }
        if document.returned > 0 { changes.append("\(document.returned) back in the source") }
        print("Updated \(shown): \(changes.joined(separator: ", "))")
    }

    private func print(_ text: String) { StandardError.write(TerminalText.text(text) + "\n") }
}

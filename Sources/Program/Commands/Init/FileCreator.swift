internal import Foundation
internal import PhotoModel
internal import Site

/// Writes several files into a folder, either all or none, and overwrites no file.
struct FileCreator {
    /// The reason why the files can't be written.
    struct Failure: Error {
        let exitCode: ExitCode
        let message: String
    }

    /// The absolute path of the folder.
    private let folder: String
    /// The folder as the user named it.
    private let shown: String

    init(folder: String, shown: String) {
        self.folder = folder
        self.shown = shown
    }

    /// The path of a file in the folder, for messages.
    func shownPath(_ name: String) -> String { shown == "." ? name : shown + (shown.hasSuffix("/") ? "" : "/") + name }

    /// Whether a file, folder or symbolic link has that name. A link counts even if its target is missing.
    func isTaken(_ name: String) -> Bool {
        var status = stat()
        return lstat(folder + "/" + name, &status) == 0
    }

    /// - Parameter files: the contents of the files by path relative to the folder.
    func write(_ files: [String: [UInt8]]) throws(Failure) {
        let names = files.keys.sorted()
        if let taken = names.first(where: isTaken) {
            throw Failure(
                exitCode: .cannotCreate, message: "\(shownPath(taken)) already exists and is not overwritten")
        }
        var written: [String] = []
        for name in names {
            let path = folder + "/" + name
            do {
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            } catch {
                remove(written)
                throw Failure(
                    exitCode: .cannotCreate,
                    message: "the folder of \(shownPath(name)) can't be created: \(systemMessage(error))")
            }
            let failure = create(path, with: files[name] ?? [])
            guard failure == 0 else {
                remove(written)
                throw Failure(
                    exitCode: failure == EEXIST ? .cannotCreate : .inputOutput,
                    message: "\(shownPath(name)) can't be written: \(systemMessage(failure))")
            }
            written.append(path)
        }
    }

    /// Creates a file as a whole: it is written under another name in the same folder first.
    /// - Returns: 0 or `errno`; EEXIST if the path is taken. There is no new file then.
    private func create(_ path: String, with bytes: [UInt8]) -> Int32 {
        let name = (path as NSString).lastPathComponent
        let temporary = "\(name).new-\(getpid())"
        do throws(SiteError) {
            guard let folder = try Folder.open((path as NSString).deletingLastPathComponent) else { return ENOENT }
            do throws(SiteError) {
                var file = try OpenFile(creating: temporary, in: folder)
                try file.write(bytes)
                try file.sync()
                try file.finish()
            } catch {
                unlinkat(folder.descriptor, temporary, 0)
                throw error
            }
            let failure = folder.move(temporary, to: folder, asNew: name)
            if failure != 0 { unlinkat(folder.descriptor, temporary, 0) }
            return failure
        } catch .write(_, let code), .cannotCreate(_, let code) {
            return code
        } catch {
            return EIO
        }
    }

    /// Removes files after a failure. An error of unlink(2) is not reported, because the failure that led here is the
    /// one to report.
    private func remove(_ paths: [String]) {
        for path in paths { unlink(path) }
    }
}

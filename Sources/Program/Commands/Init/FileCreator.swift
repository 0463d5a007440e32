internal import Foundation
internal import PhotoModel

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
                    message: "the folder of \(shownPath(name)) can't be created: \(error.localizedDescription)")
            }
            do throws(POSIXError) {
                try FileReplacement.create(path, through: "\(path).new-\(getpid())", with: files[name] ?? [])
                written.append(path)
            } catch {
                remove(written)
                throw Failure(
                    exitCode: error.code == .EEXIST ? .cannotCreate : .inputOutput,
                    message: "\(shownPath(name)) can't be written: \(String(cString: strerror(error.code.rawValue)))")
            }
        }
    }

    /// Removes files after a failure. An error of unlink(2) is not reported, because the failure that led here is the
    /// one to report.
    private func remove(_ paths: [String]) {
        for path in paths { unlink(path) }
    }
}

internal import Foundation

/// Files that are to appear in a folder, all of them or none, and none in the place of another.
struct FileCreator {
    /// Why they can't be written.
    struct Failure: Error {
        let exitCode: ExitCode
        let message: String
    }

    /// Absolute.
    private let folder: String
    /// The folder as the user named it.
    private let shown: String

    init(folder: String, shown: String) {
        self.folder = folder
        self.shown = shown
    }

    /// The path of a file in the folder, for messages.
    func shownPath(_ name: String) -> String { shown == "." ? name : shown + (shown.hasSuffix("/") ? "" : "/") + name }

    /// Whether something has that name, be it a symbolic link that leads nowhere.
    func isTaken(_ name: String) -> Bool {
        var status = stat()
        return lstat(folder + "/" + name, &status) == 0
    }

    /// - Parameter files: by path in the folder.
    func write(_ files: [String: [UInt8]]) throws(Failure) {
        let names = files.keys.sorted()
        if let taken = names.first(where: isTaken) {
            throw Failure(
                exitCode: .cannotCreate, message: "\(shownPath(taken)) is there already and is not overwritten")
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
                    message: "the folder of \(shownPath(name)) can't be made: \(error.localizedDescription)")
            }
            do {
                try Data(files[name] ?? []).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
                written.append(path)
            } catch {
                remove(written)
                throw Failure(
                    exitCode: .inputOutput,
                    message: "\(shownPath(name)) can't be written: \(error.localizedDescription)")
            }
        }
    }

    /// Files that can't be removed again stay; the first failure is the one to report.
    private func remove(_ paths: [String]) {
        for path in paths { unlink(path) }
    }
}

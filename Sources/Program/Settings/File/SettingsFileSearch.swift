internal import Foundation
internal import PhotoModel

/// Finds the settings file: the file that --config names, or else gallerygen.yaml in the folder of the first manifest,
/// if it exists.
struct SettingsFileSearch {
    let environment: ProcessEnvironment
    let manifests: ManifestArguments

    func find(_ named: String?) throws(SettingsError) -> SettingsFile? {
        let path = path(named)
        if let named { return try read(path, name: named) }
        // A symbolic link to nowhere is a file that can't be read. Without it, the site would be built with other
        // settings.
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return try read(path, name: "gallerygen.yaml")
    }

    /// The path of the settings file, whether it exists or not.
    func path(_ named: String?) -> String {
        named.map { environment.absolute($0) } ?? (manifests.folder ?? environment.folder) + "/gallerygen.yaml"
    }

    /// A warning about a file named gallerygen.yml, which is not read.
    var similarNames: [String] {
        let name = (path(nil) as NSString).deletingPathExtension + ".yml"
        guard FileManager.default.fileExists(atPath: name) else { return [] }
        return ["gallerygen.yml is not read; rename it to gallerygen.yaml, or name it with --config"]
    }

    private func read(_ path: String, name: String) throws(SettingsError) -> SettingsFile {
        func mistake(_ why: String) -> SettingsError {
            SettingsError(origin: .file(name), message: "settings file \(name): \(why)")
        }
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw mistake(errno == ENOENT ? "no such file" : "it can't be read: \(systemMessage(errno))")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw mistake("it is a folder; name a file")
        // The file is read more than once.
        default: throw mistake("it is a pipe or a device; name a file")
        }
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw mistake("it can't be read as UTF-8 text")
        }
        var file = try SettingsFile(text, name: name, known: SettingsTable.namesInFile)
        file.folder = (path as NSString).deletingLastPathComponent
        return file
    }
}

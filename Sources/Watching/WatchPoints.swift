internal import Foundation

/// The folders that have to be watched so that no change of some paths is missed, each with the names in it that
/// matter.
struct WatchPoints {
    /// Folder → the names that matter in it; nil if every name does.
    private(set) var names: [String: Set<String>?] = [:]

    init(_ paths: WatchedPaths) {
        for file in paths.files {
            add(file)
            addPathComponents(of: file)
        }
        for folder in paths.folders { addAll(folder) }
    }

    /// Whether changes of this name in the folder matter.
    func isWatched(_ name: String, in folder: String) -> Bool {
        switch names[folder] {
        case .none: false
        case .some(.none): true
        case .some(.some(let wanted)): wanted.contains(name)
        }
    }

    /// The names that matter in a folder, whether or not they exist. If every name matters, the result has the existing
    /// ones; a folder that doesn't exist has none.
    func names(of folder: String) -> [String] {
        switch names[folder] {
        case .none: []
        // A folder that can't be listed has no files that a build could read.
        case .some(.none): (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        case .some(.some(let wanted)): Array(wanted)
        }
    }

    /// Whether any name matters here that does not matter in `other`.
    func hasNamesMissing(in other: WatchPoints) -> Bool {
        names.contains { folder, wanted in
            switch (wanted, other.names[folder]) {
            case (_, .none): true
            case (_, .some(.none)): false
            case (.none, .some(.some)): true
            case (.some(let wanted), .some(.some(let known))): !wanted.isSubset(of: known)
            }
        }
    }

    /// Adds the nearest existing folder above the file. If the file's own folder doesn't exist, the file can only
    /// appear together with that folder.
    private mutating func add(_ file: String) {
        var path = file
        while let slash = path.lastIndex(of: "/") {
            let folder = slash == path.startIndex ? "/" : String(path[..<slash])
            if Self.isFolder(folder) {
                return insert(String(path[path.index(after: slash)...]), in: folder)
            }
            guard folder != "/" else { return }
            path = folder
        }
    }

    /// Adds all names on the way to a file, each in the folder that really contains it. The target of a path also
    /// changes if a folder above it, or a symbolic link on the way, is replaced.
    private mutating func addPathComponents(of file: String) {
        var rest = Self.names(in: file)
        var resolved = ""
        var links = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            switch name {
            case ".": continue
            case "..":
                resolved = String(resolved.prefix(upTo: resolved.lastIndex(of: "/") ?? resolved.startIndex))
                continue
            default: break
            }
            let folder = resolved.isEmpty ? "/" : resolved
            // A folder without read permission can't be watched.
            if access(folder, R_OK) == 0 { insert(name, in: folder) }
            let path = resolved + "/" + name
            // A path that is not a symbolic link, or does not exist, is not resolved further.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                resolved = path
                continue
            }
            links += 1
            // The kernel follows no more links than this either, and then doesn't find the file.
            guard links <= Self.symbolicLinkLimit else { return }
            if target.hasPrefix("/") { resolved = "" }
            rest = Self.names(in: target) + rest
        }
    }

    private static let symbolicLinkLimit = 40

    private static func names(in path: String) -> [String] { path.split(separator: "/").map(String.init) }

    private mutating func insert(_ name: String, in folder: String) {
        guard names[folder] != .some(.none) else { return }
        names[folder] = .some((names[folder] ?? [])?.union([name]))
    }

    private mutating func addAll(_ folder: String) {
        guard Self.isFolder(folder) else { return add(folder) }
        // The folder itself can be moved away or come back, or a symbolic link on the way to it can get another target.
        addPathComponents(of: folder)
        names[folder] = .some(.none)
        // A folder that can't be listed has no files that a build could read.
        let inside = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        for path in inside.map({ folder + "/" + $0 }) {
            if Self.isFolder(path) { names[path] = .some(.none) }
            if Self.isSymbolicLink(path) { addPathComponents(of: path) }
        }
    }

    private static func isSymbolicLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

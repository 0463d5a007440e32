internal import Foundation

/// The folders to look at so that no change of some paths is missed, each with the names in it that count.
struct WatchPoints {
    /// Folder → names of interest in it; nil where every name is.
    private(set) var names: [String: Set<String>?] = [:]

    init(_ paths: WatchedPaths) {
        for file in paths.files {
            add(file)
            // What is changed behind a symbolic link is changed elsewhere.
            let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
            if target != file { add(target) }
        }
        for folder in paths.folders { addAll(folder) }
    }

    func isOfInterest(_ name: String, in folder: String) -> Bool {
        switch names[folder] {
        case .none: false
        case .some(.none): true
        case .some(.some(let wanted)): wanted.contains(name)
        }
    }

    /// Whether something counts here that did not count there.
    func exceeds(_ other: WatchPoints) -> Bool {
        names.contains { folder, wanted in
            switch (wanted, other.names[folder]) {
            case (_, .none): true
            case (_, .some(.none)): false
            case (.none, .some(.some)): true
            case (.some(let wanted), .some(.some(let known))): !wanted.isSubset(of: known)
            }
        }
    }

    /// A file in a folder that is not there appears with the folder: so the nearest one that is there is looked at.
    private mutating func add(_ file: String) {
        var path = file
        while let slash = path.lastIndex(of: "/") {
            let folder = slash == path.startIndex ? "/" : String(path[..<slash])
            if Self.isFolder(folder) {
                guard names[folder] != .some(.none) else { return }
                let name = String(path[path.index(after: slash)...])
                names[folder] = .some((names[folder] ?? [])?.union([name]))
                return
            }
            guard folder != "/" else { return }
            path = folder
        }
    }

    private mutating func addAll(_ folder: String) {
        guard Self.isFolder(folder) else { return add(folder) }
        // The folder itself may be moved away or come back.
        add(folder)
        names[folder] = .some(.none)
        // One that can't be listed has nothing in it that a build could read.
        let inside = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        for path in inside where Self.isFolder(folder + "/" + path) { names[folder + "/" + path] = .some(.none) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

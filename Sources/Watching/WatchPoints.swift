internal import Foundation

/// The folders to look at so that no change of some paths is missed, each with the names in it that count.
struct WatchPoints {
    /// Folder → names of interest in it; nil where every name is.
    private(set) var names: [String: Set<String>?] = [:]

    init(_ paths: WatchedPaths) {
        for file in paths.files {
            add(file)
            addWay(to: file)
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

    /// The names of interest in a folder, whether they are there or not; where every name is, those that are there: a
    /// folder that is gone has none.
    func names(of folder: String) -> [String] {
        switch names[folder] {
        case .none: []
        // A folder that can't be listed shows a build nothing either.
        case .some(.none): (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        case .some(.some(let wanted)): Array(wanted)
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
                return insert(String(path[path.index(after: slash)...]), in: folder)
            }
            guard folder != "/" else { return }
            path = folder
        }
    }

    /// The target of a path also changes if a folder above it, or a symbolic link on the way, is replaced: so each name
    /// on the way is watched in the folder that really holds it.
    private mutating func addWay(to file: String) {
        var rest = Self.names(in: file)
        var place = ""
        var links = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            switch name {
            case ".": continue
            case "..":
                place = String(place.prefix(upTo: place.lastIndex(of: "/") ?? place.startIndex))
                continue
            default: break
            }
            let folder = place.isEmpty ? "/" : place
            // A link that can't be read can't be watched.
            if access(folder, R_OK) == 0 { insert(name, in: folder) }
            let path = place + "/" + name
            // A path that is no link, or does not exist, stands for itself.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                place = path
                continue
            }
            links += 1
            // The system gives up after as many links, and then finds nothing.
            guard links <= Self.mostLinks else { return }
            if target.hasPrefix("/") { place = "" }
            rest = Self.names(in: target) + rest
        }
    }

    private static let mostLinks = 40

    private static func names(in path: String) -> [String] { path.split(separator: "/").map(String.init) }

    private mutating func insert(_ name: String, in folder: String) {
        guard names[folder] != .some(.none) else { return }
        names[folder] = .some((names[folder] ?? [])?.union([name]))
    }

    private mutating func addAll(_ folder: String) {
        guard Self.isFolder(folder) else { return add(folder) }
        // The folder itself may be moved away or come back.
        add(folder)
        names[folder] = .some(.none)
        // A folder that can't be listed has no files that a build could read.
        let inside = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        for path in inside where Self.isFolder(folder + "/" + path) { names[folder + "/" + path] = .some(.none) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

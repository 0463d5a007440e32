internal import Foundation

/// The output folder and the folders of ours in it: opened as they are needed, made when the first file goes in.
final class SiteRoot {
    /// The only folders that a site has: its files are in them or beside them.
    static let folderNames = ["album", "assets", "images", "page", "photo"]

    let path: String
    /// Nil while there is no such folder.
    private(set) var folder: Folder?
    private var folders: [String: Folder] = [:]
    /// What was made and is still to be unmade if nothing comes of it, in the order in which it was made.
    private var madePaths: [String] = []
    private var madeNames: [String] = []

    /// Opens the folder if it is there; it may be a symbolic link to one.
    /// - Throws: `SiteError.cannotMake` if it is no folder, or is not there and can't be made.
    init(path: String) throws(SiteError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        folder = try Folder.open(path)
        if folder == nil { try Self.checkCanBeMade(path) }
    }

    /// The path of a file of the site, for messages.
    func fullPath(_ relative: String) -> String { path == "/" ? "/" + relative : "\(path)/\(relative)" }

    /// The folder itself, made if need be with all that lead to it.
    func make() throws(SiteError) -> Folder {
        if let folder { return folder }
        try makePath(path)
        guard let made = try Folder.open(path) else { throw .cannotMake(path: path, errno: ENOENT) }
        folder = made
        return made
    }

    /// The folder of the site's file at `relative`, and the file's name in it.
    func place(of relative: String) throws(SiteError) -> (folder: Folder, name: String) {
        let root = try make()
        guard let slash = relative.firstIndex(of: "/") else { return (root, relative) }
        let name = String(relative[..<slash])
        let rest = String(relative[relative.index(after: slash)...])
        if let known = folders[name] { return (known, rest) }
        let made = mkdirat(root.descriptor, name, 0o777) == 0
        if made { madeNames.append(name) }
        guard made || errno == EEXIST else { throw root.failure(name) }
        let folder = try root.folder(name)
        folders[name] = folder
        return (folder, rest)
    }

    /// A folder of ours that is there already.
    func existing(_ name: String) throws(SiteError) -> Folder? {
        guard let folder else { return nil }
        if let known = folders[name] { return known }
        let opened = try folder.folder(name)
        folders[name] = opened
        return opened
    }

    /// Removes a folder of ours if nothing is left in it.
    func removeIfEmpty(_ name: String) throws(SiteError) {
        if try folder?.removeEmptyFolder(name) == true { folders[name] = nil }
    }

    /// Makes the names in all folders that are open last through a power cut.
    func sync() throws(SiteError) {
        for folder in folders.values { try folder.sync() }
        try folder?.sync()
    }

    /// Removes a temporary folder, and of the folders that were made those in which there is nothing. For cleaning up:
    /// what can't be removed stays.
    func unmake(temporary: String) {
        guard let root = folder else { return }
        unlinkat(root.descriptor, temporary, AT_REMOVEDIR)
        for name in madeNames.reversed() where unlinkat(root.descriptor, name, AT_REMOVEDIR) == 0 {
            folders[name] = nil
        }
        madeNames = []
        for path in madePaths.reversed() where rmdir(path) == 0 && path == self.path { folder = nil }
        madePaths = []
    }

    private func makePath(_ path: String) throws(SiteError) {
        if mkdir(path, 0o777) == 0 {
            madePaths.append(path)
            return
        }
        let failure = errno
        if failure == ENOENT, let parent = Self.parent(of: path) {
            try makePath(parent)
            guard mkdir(path, 0o777) == 0 else { throw .cannotMake(path: path, errno: errno) }
            madePaths.append(path)
        } else if failure != EEXIST {
            throw .cannotMake(path: path, errno: failure)
        }
    }

    private static func checkCanBeMade(_ path: String) throws(SiteError) {
        var ancestor = path
        while let parent = parent(of: ancestor) {
            ancestor = parent
            var status = stat()
            if stat(ancestor, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFDIR else { throw .cannotMake(path: path, errno: ENOTDIR) }
                guard access(ancestor, W_OK | X_OK) == 0 else { throw .cannotMake(path: path, errno: errno) }
                return
            }
            guard errno == ENOENT else { throw .cannotMake(path: path, errno: errno) }
        }
        throw .cannotMake(path: path, errno: ENOENT)
    }

    /// - Returns: nil for the root of the file system and for the current folder.
    private static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return path == "." ? nil : "." }
        if slash == path.startIndex { return path == "/" ? nil : "/" }
        var parent = path[..<slash]
        while parent.count > 1, parent.last == "/" { parent = parent.dropLast() }
        return String(parent)
    }
}

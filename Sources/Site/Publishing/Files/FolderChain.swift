internal import Foundation

/// A folder with all the folders that lead to it, of which some may have to be made.
package enum FolderChain {
    /// Makes the folder at `path`, and what is missing on the way to it.
    /// - Parameter permissions: of what is made; nil: by the umask.
    /// - Returns: What was made, the outermost first; nothing if the folder is there.
    /// - Throws: `SiteError.cannotMake`.
    package static func make(_ path: String, _ permissions: SitePermissions? = nil) throws(SiteError) -> [String] {
        if makeOne(path, permissions) { return [path] }
        let failure = errno
        if failure == ENOENT, let parent = parent(of: path) {
            let made = try make(parent, permissions)
            if makeOne(path, permissions) { return made + [path] }
            let failure = errno
            unmake(made)
            throw .cannotMake(path: path, errno: failure)
        }
        var status = stat()
        guard failure == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .cannotMake(path: path, errno: failure == EEXIST ? ENOTDIR : failure)
        }
        return []
    }

    /// - Returns: false with `errno` set.
    private static func makeOne(_ path: String, _ permissions: SitePermissions?) -> Bool {
        guard mkdir(path, 0o777) == 0 else { return false }
        guard let permissions else { return true }
        let made = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard made >= 0 else { return false }
        defer { close(made) }
        var status = stat()
        guard fstat(made, &status) == 0 else { return false }
        let special = UInt32(status.st_mode) & SitePermissions.specialBits
        return fchmod(made, mode_t(permissions.folders | special)) == 0
    }

    /// Makes the names of new folders last through a power cut.
    package static func sync(_ made: [String]) throws(SiteError) {
        for path in made {
            guard let parent = parent(of: path), let folder = try Folder.open(parent) else { continue }
            try folder.sync()
        }
    }

    /// Removes those of the folders that are empty. For cleaning up: what can't be removed stays.
    package static func unmake(_ made: [String]) {
        for path in made.reversed() { rmdir(path) }
    }

    /// - Throws: `SiteError.cannotMake` if nothing is at `path` and nothing can be made there.
    static func check(_ path: String) throws(SiteError) {
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

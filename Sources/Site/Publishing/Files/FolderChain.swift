internal import Foundation

/// A folder and all its ancestors, some of which might have to be created.
package enum FolderChain {
    /// Creates the folder at `path` and its missing ancestors.
    /// - Parameter permissions: the permissions of the new folders; nil if the umask decides.
    /// - Returns: the paths of the new folders, outermost first; empty if the folder exists already.
    /// - Throws: `SiteError.cannotCreate`, after the new ancestors were removed again.
    package static func create(_ path: String, _ permissions: SitePermissions? = nil) throws(SiteError) -> [String] {
        if createFolder(path, permissions) { return [path] }
        let failure = errno
        if failure == ENOENT, let parent = parent(of: path) {
            let created = try create(parent, permissions)
            if createFolder(path, permissions) { return created + [path] }
            let failure = errno
            removeEmpty(created)
            throw .cannotCreate(path: path, errno: failure)
        }
        var status = stat()
        guard failure == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .cannotCreate(path: path, errno: failure == EEXIST ? ENOTDIR : failure)
        }
        return []
    }

    /// - Returns: false, with `errno` set, if the folder can't be created.
    private static func createFolder(_ path: String, _ permissions: SitePermissions?) -> Bool {
        guard mkdir(path, 0o777) == 0 else { return false }
        guard let permissions else { return true }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let special = UInt32(status.st_mode) & SitePermissions.specialBits
        return fchmod(descriptor, mode_t(permissions.folders | special)) == 0
    }

    /// Makes the entries of new folders in their parents durable.
    package static func sync(_ created: [String]) throws(SiteError) {
        for path in created {
            guard let parent = parent(of: path), let folder = try Folder.open(parent) else { continue }
            try folder.sync()
        }
    }

    /// Removes new folders if they are empty. Errors are ignored, because this is a clean-up.
    package static func removeEmpty(_ created: [String]) {
        for path in created.reversed() { rmdir(path) }
    }

    /// Checks that a folder which doesn't exist yet could be created.
    /// - Throws: `SiteError.cannotCreate` if the nearest existing ancestor of `path` is not a writable folder.
    static func check(_ path: String) throws(SiteError) {
        var ancestor = path
        while let parent = parent(of: ancestor) {
            ancestor = parent
            var status = stat()
            if stat(ancestor, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFDIR else { throw .cannotCreate(path: path, errno: ENOTDIR) }
                guard access(ancestor, W_OK | X_OK) == 0 else { throw .cannotCreate(path: path, errno: errno) }
                return
            }
            guard errno == ENOENT else { throw .cannotCreate(path: path, errno: errno) }
        }
        throw .cannotCreate(path: path, errno: ENOENT)
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

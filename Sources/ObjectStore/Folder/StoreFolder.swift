internal import Foundation
internal import PhotoModel

/// The folders of a folder store.
enum StoreFolder {
    /// Creates a folder, and those above it, unless it exists.
    static func create(_ path: String) throws(ObjectStoreError) {
        if try createOne(path) { return }
        try create(parent(of: path))
        guard try createOne(path) else { throw .file(path: path, errno: ENOENT) }
    }

    /// Creates a folder unless it exists.
    /// - Returns: false if the folder above it does not exist.
    private static func createOne(_ path: String) throws(ObjectStoreError) -> Bool {
        if mkdir(path, 0o777) != 0 {
            switch errno {
            case EEXIST: return true
            case ENOENT where path != parent(of: path): return false
            default: throw .file(path: path, errno: errno)
            }
        }
        GroupAccess(ofFolderAt: parent(of: path))?.apply(to: path)
        try syncParent(of: path)
        return true
    }

    /// Creates the folders that a key needs in a store. The store itself is not created again, because a store that has
    /// vanished might not be mounted any more.
    static func createParents(of key: String, in store: String) throws(ObjectStoreError) {
        guard access(store, F_OK) == 0 else { throw .file(path: store, errno: errno) }
        guard let slash = key.lastIndex(of: "/") else { return }
        try create("\(store)/\(key[..<slash])")
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func syncParent(of path: String) throws(ObjectStoreError) { try sync(parent(of: path)) }

    /// Makes the entries of a folder durable.
    private static func sync(_ path: String) throws(ObjectStoreError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder can't be opened by a user who may only write to it.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Network file systems that have no such call write entries at once.
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS, EBADF].contains(errno) else {
            throw .file(path: path, errno: errno)
        }
    }

    /// Calls `work` for each regular file, with its key and its size in bytes. Hidden files and folders are left out:
    /// they are temporary ones, and those of NFS.
    /// - Parameter folder: where to begin, as the beginning of keys: empty, or with a slash at its end. Folders that do
    ///   not exist are empty.
    static func forEachFile(
        in store: String, _ folder: String, isCancelled: () -> Bool, _ work: (String, Int64) -> Void
    ) throws(ObjectStoreError) {
        var folders = [folder]
        while let next = folders.popLast() {
            let path = next.isEmpty ? store : "\(store)/\(next.dropLast())"
            guard let directory = opendir(path) else {
                if errno == ENOENT && !next.isEmpty { continue }
                throw .file(path: path, errno: errno)
            }
            defer { closedir(directory) }
            while true {
                if isCancelled() { throw .interrupted }
                errno = 0
                guard let entry = readdir(directory) else { break }
                let name = Self.name(of: entry)
                if name.hasPrefix(".") { continue }
                var status = stat()
                guard fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                    if errno == ENOENT { continue }
                    throw .file(path: "\(path)/\(name)", errno: errno)
                }
                switch status.st_mode & S_IFMT {
                case S_IFREG: work(next + name, Int64(status.st_size))
                case S_IFDIR: folders.append("\(next)\(name)/")
                default: break
                }
            }
            guard errno == 0 else { throw .file(path: path, errno: errno) }
        }
    }

    /// The name of an entry that readdir(3) has returned.
    static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
    }
}

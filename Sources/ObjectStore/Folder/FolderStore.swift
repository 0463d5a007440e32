internal import CFileCalls
internal import Foundation
internal import PhotoModel

/// A shared store that is a folder which all machines mount, by NFS for example. No locks are used, because not every
/// network file system has them.
///
/// An object is written to a temporary file, synchronised, and given its name by link(2), which fails if the name is
/// taken, on every machine. So a name is always that of a complete object.
package struct FolderStore: SharedStore {
    package let shown: String
    let path: String
    private let isCancelled: @Sendable () -> Bool
    let temporary: TemporaryNames

    /// A folder is read as a whole.
    package let listsNarrowly = false

    /// Each operation waits for the server or the disk most of the time.
    package let parallelRequests = 16

    /// Opens a store. Old temporary files of killed processes are removed.
    /// - Parameters:
    ///   - createsFolder: whether a folder that does not exist is created.
    ///   - isCancelled: a closure that several threads call repeatedly; if it returns true, operations end.
    /// - Throws: `ObjectStoreError.file` if the folder can't be used.
    package init(
        _ path: String, createsFolder: Bool = true, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ObjectStoreError) {
        shown = path
        self.path = path
        self.isCancelled = isCancelled
        temporary = TemporaryNames(store: path)
        if createsFolder { try StoreFolder.create(path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .file(path: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .file(path: path, errno: ENOTDIR) }
        temporary.removeOld()
    }

    package func create(_ key: String, _ content: [UInt8]) throws(ObjectStoreError) -> Bool {
        try create(key) { (file) throws(ObjectStoreError) in try file.write(content) }
    }

    package func create(_ key: String, fromFileAt source: String) throws(ObjectStoreError) -> Bool {
        guard try !exists(key) else { return false }
        let file = try StoreFile(reading: source)
        // A file that some readers of the store could not read must not become an object.
        if try file.isReadable(likeFolder: path) {
            try file.sync()
            if let isNew = try give(key, to: source, file) { return isNew }
        }
        return try create(key) { (copy) throws(ObjectStoreError) in try copy.copy(from: file) }
    }

    package func read(_ key: String) throws(ObjectStoreError) -> [UInt8]? { try read(key, prefix: .max) }

    package func read(_ key: String, prefix count: Int) throws(ObjectStoreError) -> [UInt8]? {
        try ObjectKey.check(key)
        if isCancelled() { throw .interrupted }
        guard let file = try StoreFile(ifExists: path(of: key)) else { return nil }
        return try file.read(atMost: count)
    }

    package func fetch(_ key: String, toFileAt target: String) throws(ObjectStoreError) -> Bool {
        try ObjectKey.check(key)
        if isCancelled() { throw .interrupted }
        let object = path(of: key)
        guard let file = try StoreFile(ifExists: object) else { return false }
        // No link, because what happens to the file, such as another mode, must not happen to the object.
        let partial = TemporaryNames.path(beside: target)
        let copy: StoreFile
        do throws(ObjectStoreError) {
            copy = try StoreFile(creating: partial)
        } catch .file(_, let failure) {
            throw .file(path: target, errno: failure)
        }
        defer { unlink(partial) }
        try copy.copy(from: file)
        try copy.close()
        guard try LinkFailure.install(partial, as: target) else { throw .file(path: target, errno: EEXIST) }
        return true
    }

    package func list(_ prefix: String) throws(ObjectStoreError) -> [StoredObject] {
        try ObjectKey.check(prefix: prefix)
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        var objects: [StoredObject] = []
        try StoreFolder.forEachFile(in: path, folder, isCancelled: isCancelled) { key, bytes in
            if key.hasPrefix(prefix) { objects.append(StoredObject(key: key, bytes: bytes)) }
        }
        return objects.sorted { $0.key < $1.key }
    }

    private func path(of key: String) -> String { "\(path)/\(key)" }

    /// Whether an object exists. Most of those that a second run creates do.
    private func exists(_ key: String) throws(ObjectStoreError) -> Bool {
        try ObjectKey.check(key)
        if isCancelled() { throw .interrupted }
        return access(path(of: key), F_OK) == 0
    }

    /// Creates an object of what `write` writes to a temporary file.
    private func create(
        _ key: String, _ write: (StoreFile) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) -> Bool {
        guard try !exists(key) else { return false }
        try StoreFolder.createParents(of: ".tmp/", in: path)
        let name = temporary.next()
        let file = try StoreFile(creating: name)
        defer { unlink(name) }
        GroupAccess(ofFolderAt: path)?.apply(to: name)
        try write(file)
        // After this call, close(2) has nothing to write that could fail.
        try file.sync()
        if let isNew = try give(key, to: name, file) { return isNew }
        // A file system without links refuses them before it looks for the folder.
        try StoreFolder.createParents(of: key, in: path)
        let isNew = try LinkFailure.install(name, as: path(of: key))
        if isNew { try StoreFolder.syncParent(of: path(of: key)) }
        return isNew
    }

    private static func link(_ file: String, _ name: String) -> Int32 {
        // On Linux, link(2) would give a symbolic link the name, not the file.
        linkat(AT_FDCWD, file, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
    }

    /// Gives a complete file the name of an object, by link(2), and makes that durable.
    /// - Returns: whether the object is new; nil if the file can't have a hard link there.
    private func give(
        _ key: String, to name: String, _ file: StoreFile
    ) throws(ObjectStoreError) -> Bool? {
        let object = path(of: key)
        var code = Self.link(name, object)
        if code != 0 && errno == ENOENT {
            try StoreFolder.createParents(of: key, in: path)
            code = Self.link(name, object)
        }
        if code != 0 {
            let failure = errno
            // The answer of an NFS server can get lost, and the kernel then repeats the request. Its second answer is
            // that the name is taken, although it is taken by this file.
            if !file.isSame(as: object) {
                if failure == EEXIST { return false }
                if LinkFailure.isUnsupported(failure) { return nil }
                throw .file(path: object, errno: failure)
            }
        }
        try StoreFolder.syncParent(of: object)
        return true
    }
}

/// The substitute for link(2) on file systems without hard links.
enum LinkFailure {
    /// Whether the file system has no hard links, or not between these two files.
    static func isUnsupported(_ failure: Int32) -> Bool {
        [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EXDEV, EMLINK].contains(failure)
    }

    /// Renames a file to a name that no file has. SMB, FAT and most FUSE file systems can do that in one step. Where
    /// that fails too, the name is looked up first, so that two machines that create the same object at the same moment
    /// replace one copy by the other, as a whole.
    /// - Returns: false if the name is taken.
    static func install(_ name: String, as target: String) throws(ObjectStoreError) -> Bool {
        if file_rename_new(AT_FDCWD, name, AT_FDCWD, target) == 0 { return true }
        let failure = errno
        if failure == EEXIST { return false }
        guard [ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP].contains(failure) else {
            throw .file(path: target, errno: failure)
        }
        var status = stat()
        if lstat(target, &status) == 0 { return false }
        guard rename(name, target) == 0 else { throw .file(path: target, errno: errno) }
        return true
    }
}

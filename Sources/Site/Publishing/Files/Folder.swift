internal import Foundation

/// A folder held open. What is in it is reached by names alone, and never through a symbolic link, so that nobody who
/// can write to the site can lead us out of it. Closed when released.
package final class Folder {
    /// What a name in a folder stands for.
    package enum EntryKind: Hashable {
        case file, folder
        /// A symbolic link, a device, a socket or a pipe.
        case other
    }

    /// For messages.
    package let path: String
    package let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens the folder at `path`, which may itself be a symbolic link to one.
    /// - Returns: nil if there is nothing at `path`.
    package static func open(_ path: String) throws(SiteError) -> Folder? {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = errno
            var status = stat()
            // A symbolic link to nothing is not nothing.
            if failure == ENOENT, lstat(path, &status) != 0 { return nil }
            throw .cannotMake(path: path, errno: failure)
        }
        return Folder(path: path, descriptor: descriptor)
    }

    /// The full path of an entry, for messages.
    package func path(of name: String) -> String { path == "/" ? "/" + name : "\(path)/\(name)" }

    /// An error about an entry, with `errno` as the last call left it.
    package func failure(_ name: String) -> SiteError {
        // Read before the path is put together, which asks the system for memory.
        let code = errno
        return .write(path: path(of: name), errno: code)
    }

    /// Opens the folder `name` in this one.
    package func folder(_ name: String) throws(SiteError) -> Folder {
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw failure(name) }
        return Folder(path: path(of: name), descriptor: opened)
    }

    /// Makes the folder `name` in this one. A folder that can't be opened afterwards is removed again.
    package func makeFolder(_ name: String) throws(SiteError) -> Folder {
        guard mkdirat(descriptor, name, 0o777) == 0 else { throw failure(name) }
        do throws(SiteError) {
            return try folder(name)
        } catch {
            unlinkat(descriptor, name, AT_REMOVEDIR)
            throw error
        }
    }

    /// Its permission bits.
    func mode() throws(SiteError) -> UInt32 { UInt32(try status().st_mode) & 0o7777 }

    /// The folder's own attributes, as the system has them.
    func status() throws(SiteError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .write(path: path, errno: errno) }
        return status
    }

    /// Gives the folder these permission bits, unless it has them; setgid and its like stay.
    func set(mode: UInt32) throws(SiteError) {
        let found = try self.mode()
        let wanted = mode | found & SitePermissions.specialBits
        guard wanted == found || fchmod(descriptor, mode_t(wanted)) == 0 else {
            throw .write(path: path, errno: errno)
        }
    }

    /// Gives a file in this folder these permission bits, and nothing to which a symbolic link in its place leads.
    func set(mode: UInt32, of name: String) throws(SiteError) {
        guard fchmodat(descriptor, name, mode_t(mode), AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOENT else {
            throw failure(name)
        }
    }

    /// Calls `visit` for every entry but "." and "..".
    package func forEachEntry(_ visit: (String, EntryKind) -> Void) throws(SiteError) {
        // A descriptor of its own: two that were duplicated would share how far they have read.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw .write(path: path, errno: errno) }
        guard let stream = fdopendir(own) else {
            let failure = SiteError.write(path: path, errno: errno)
            close(own)
            throw failure
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let type = Int32(entry.pointee.d_type)
            // The name ends with a NUL inside the entry, which stays valid until the next call of readdir.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            switch type {
            case Int32(DT_REG): visit(name, .file)
            case Int32(DT_DIR): visit(name, .folder)
            case Int32(DT_UNKNOWN): visit(name, kind(of: name) ?? .other)
            default: visit(name, .other)
            }
        }
        guard errno == 0 else { throw .write(path: path, errno: errno) }
    }

    /// What its file system has left for us, in bytes; nil if it does not say.
    var freeBytes: Int64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// What the system says of an entry.
    struct Status {
        /// Bytes.
        let size: Int64
        /// nil for what is no regular file.
        let identity: FileIdentity?
        /// The permission bits.
        let mode: UInt32
    }

    /// - Returns: nil if there is no such entry.
    func status(of name: String) -> Status? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Status(
            size: Int64(status.st_size), identity: FileIdentity(status), mode: UInt32(status.st_mode) & 0o7777)
    }

    /// - Returns: nil if there is no such entry.
    package func kind(of name: String) -> EntryKind? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// Removes the file `name`; it is no error if it has gone.
    package func remove(_ name: String) throws(SiteError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw failure(name) }
    }

    /// Removes the folder `name` if it is there and empty.
    /// - Returns: Whether it was removed.
    @discardableResult package func removeEmptyFolder(_ name: String) throws(SiteError) -> Bool {
        if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return true }
        guard [ENOENT, ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { throw failure(name) }
        return false
    }

    /// Makes the names in this folder last through a power cut.
    package func sync() throws(SiteError) {
        // Some file systems, among them network ones, cannot sync folders and say EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .write(path: path, errno: errno) }
    }
}

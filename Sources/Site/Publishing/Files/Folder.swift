internal import Foundation

/// An open folder. Its entries are opened by name relative to its descriptor and never through a symbolic link, so that
/// nobody who can write to the site can redirect gallerygen out of it. The descriptor is closed when the folder is
/// released.
package final class Folder: Sendable {
    /// The kind of a folder's entry.
    package enum EntryKind: Hashable {
        case file, folder
        /// A symbolic link, a device, a socket or a pipe.
        case other

        init(_ status: stat) {
            self =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .folder
                default: .other
                }
        }
    }

    /// The folder's path, for messages.
    package let path: String
    package let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens the folder at `path`, which can be a symbolic link to a folder.
    /// - Returns: nil if nothing exists at `path`.
    package static func open(_ path: String) throws(SiteError) -> Folder? {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = errno
            var status = stat()
            // A dangling symbolic link is an entry as well.
            if failure == ENOENT, lstat(path, &status) != 0 { return nil }
            throw .cannotCreate(path: path, errno: failure)
        }
        return Folder(path: path, descriptor: descriptor)
    }

    /// The full path of an entry, for messages.
    package func path(of name: String) -> String { path == "/" ? "/" + name : "\(path)/\(name)" }

    /// An error about an entry, with `errno` of the last call.
    package func failure(_ name: String) -> SiteError {
        // `errno` is read first, because the concatenation of the path allocates memory and can change it.
        let code = errno
        return .write(path: path(of: name), errno: code)
    }

    /// Opens the subfolder `name`.
    package func folder(_ name: String) throws(SiteError) -> Folder {
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw failure(name) }
        return Folder(path: path(of: name), descriptor: opened)
    }

    /// Creates and opens the subfolder `name`. If the new folder can't be opened, it is removed again.
    package func createFolder(_ name: String) throws(SiteError) -> Folder {
        guard mkdirat(descriptor, name, 0o777) == 0 else { throw failure(name) }
        do throws(SiteError) {
            return try folder(name)
        } catch {
            unlinkat(descriptor, name, AT_REMOVEDIR)
            throw error
        }
    }

    /// The permission bits of the folder, with setuid, setgid and sticky.
    package func mode() throws(SiteError) -> UInt32 { UInt32(try status().st_mode) & 0o7777 }

    /// Whether this and another open folder are the same one, by device and inode.
    func isSame(as other: Folder) throws(SiteError) -> Bool {
        let (own, its) = (try status(), try other.status())
        return own.st_dev == its.st_dev && own.st_ino == its.st_ino
    }

    /// - Throws: `SiteError.write` if the entries of the folder can't be inspected.
    func checkAccess() throws(SiteError) {
        var status = stat()
        guard fstatat(descriptor, ".", &status, 0) == 0 else { throw .write(path: path, errno: errno) }
    }

    /// The attributes of the folder itself, from fstat(2).
    func status() throws(SiteError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .write(path: path, errno: errno) }
        return status
    }

    /// Sets the permission bits of the folder unless it has them already. Its setuid, setgid and sticky bits stay.
    package func set(mode: UInt32) throws(SiteError) {
        let found = try self.mode()
        let wanted = mode | found & SitePermissions.specialBits
        guard wanted == found || fchmod(descriptor, mode_t(wanted)) == 0 else {
            throw .write(path: path, errno: errno)
        }
    }

    /// Sets the permission bits of a file in this folder. If a symbolic link has replaced the file, its target doesn't
    /// change.
    package func set(mode: UInt32, of name: String) throws(SiteError) {
        guard fchmodat(descriptor, name, mode_t(mode), AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOENT else {
            throw failure(name)
        }
    }

    /// Calls `visit` for every entry except "." and "..".
    package func forEachEntry(_ visit: (String, EntryKind) -> Void) throws(SiteError) {
        // A separate descriptor is opened, because a duplicated one would share its directory offset with the original.
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
            // The name is NUL-terminated inside the entry, and the entry stays valid until the next call of readdir.
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

    /// The free space of the folder's file system for unprivileged users, in bytes; nil if it is unknown.
    var freeBytes: Int64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// The attributes of an entry, from fstatat(2).
    package struct Status {
        /// The size in bytes.
        let size: Int64
        /// The identity of a regular file; nil for any other kind of entry.
        let identity: FileIdentity?
        /// The permission bits, with setuid, setgid and sticky.
        package let mode: UInt32
        /// The kind of the entry.
        let kind: EntryKind
    }

    /// - Returns: nil if the entry does not exist or can't be inspected.
    package func status(of name: String) -> Status? {
        if case .found(let status) = inspect(name) { status } else { nil }
    }

    /// The result of `inspect`.
    enum Inspection {
        case absent
        case found(Status)
        /// The system could not say, for example because of a disk error.
        case unknown
    }

    /// Inspects an entry. A symbolic link is not followed.
    func inspect(_ name: String) -> Inspection {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .absent : .unknown
        }
        return .found(
            Status(
                size: Int64(status.st_size), identity: FileIdentity(status), mode: UInt32(status.st_mode) & 0o7777,
                kind: EntryKind(status)))
    }

    /// - Returns: nil if the entry does not exist.
    package func kind(of name: String) -> EntryKind? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return EntryKind(status)
    }

    /// Removes the file `name`. A file that doesn't exist is no error.
    package func remove(_ name: String) throws(SiteError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw failure(name) }
    }

    /// Removes the folder `name` if it exists and is empty.
    /// - Returns: whether the folder was removed.
    @discardableResult package func removeEmptyFolder(_ name: String) throws(SiteError) -> Bool {
        if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return true }
        guard [ENOENT, ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { throw failure(name) }
        return false
    }

    /// Makes the entries of this folder durable.
    package func sync() throws(SiteError) {
        // Some file systems, for example network file systems, can't sync folders and return EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .write(path: path, errno: errno) }
    }
}

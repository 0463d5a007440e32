internal import CFileCalls
internal import Foundation
package import PhotoModel

/// An open regular file, which is closed when it is released. `finish` must be called after writing, because some file
/// systems report write errors only when a file is closed.
package struct OpenFile: ~Copyable {
    private static let chunk = 1 << 18

    /// The file's path, for messages.
    let path: String
    /// The file descriptor; -1 after `finish`.
    private var descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Closes a file that was written.
    /// - Throws: `SiteError.write` for write errors that the file system reports only now, as network file systems and
    ///   quotas do.
    package mutating func finish() throws(SiteError) {
        let closed = close(descriptor)
        descriptor = -1
        // After EINTR the descriptor is closed on Linux. A second call could close another thread's file (close(2)).
        guard closed == 0 || errno == EINTR else { throw failure }
    }

    /// Whether anything exists at `path`, even if it can't be accessed.
    static func exists(at path: String) -> Bool { access(path, F_OK) == 0 || errno != ENOENT }

    /// Opens a file for reading. `path` can lead through symbolic links.
    package init(reading path: String) throws(SiteError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .write(path: path, errno: errno) }
        self.init(path: path, descriptor: descriptor)
    }

    /// Opens an entry of a folder for reading, unless it is a symbolic link.
    package init(reading name: String, in folder: Folder) throws(SiteError) {
        // With O_NONBLOCK the call doesn't wait for a writer if a pipe has replaced the file.
        let descriptor = openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw folder.failure(name) }
        self.init(path: folder.path(of: name), descriptor: descriptor)
    }

    /// Creates a new file in a folder.
    package init(creating name: String, in folder: Folder) throws(SiteError) {
        let descriptor = openat(folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw folder.failure(name) }
        self.init(path: folder.path(of: name), descriptor: descriptor)
    }

    /// The permission bits of the file, with setuid, setgid and sticky.
    package func mode() throws(SiteError) -> UInt32 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return UInt32(status.st_mode) & 0o7777
    }

    /// Sets the permission bits of the file unless it has them already.
    package func set(mode: UInt32) throws(SiteError) {
        guard try self.mode() != mode else { return }
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw failure }
    }

    /// The size of the file in bytes.
    package func size() throws(SiteError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return Int64(status.st_size)
    }

    /// The size of the file in bytes, and its identity if it is a regular file.
    func status() throws(SiteError) -> (bytes: Int64, identity: FileIdentity?) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return (Int64(status.st_size), FileIdentity(status))
    }

    /// Whether the file is on the same file system as the folder, so that it could have a hard link in it.
    func isOnSameDisk(as folder: Folder?) throws(SiteError) -> Bool {
        var (file, other) = (stat(), stat())
        guard fstat(descriptor, &file) == 0 else { throw failure }
        guard let folder, fstat(folder.descriptor, &other) == 0 else { return false }
        return file.st_dev == other.st_dev
    }

    package func write(_ bytes: [UInt8]) throws(SiteError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw failure }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// - Returns: the next bytes of the file, at most one chunk; empty at the end of the file.
    func read() throws(SiteError) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return bytes[..<count] }
            guard errno == EINTR else { throw failure }
        }
    }

    package func readAll() throws(SiteError) -> [UInt8] {
        var bytes: [UInt8] = []
        while case let next = try read(), !next.isEmpty { bytes += next }
        return bytes
    }

    /// The digest of the bytes from the current offset to the end.
    package func digest() throws(SiteError) -> Digest {
        var hasher = ContentHasher()
        while case let next = try read(), !next.isEmpty { hasher.update(next.span.bytes) }
        return hasher.finish()
    }

    /// Whether the content of the file is `bytes`. The file must be at its beginning.
    func hasContent(_ bytes: [UInt8]) throws(SiteError) -> Bool {
        guard try size() == Int64(bytes.count) else { return false }
        var rest = bytes[...]
        while case let next = try read(), !next.isEmpty {
            guard rest.starts(with: next) else { return false }
            rest = rest.dropFirst(next.count)
        }
        return rest.isEmpty
    }

    /// Whether two files have the same content. Both must be at their beginning.
    func hasSameContent(as other: borrowing OpenFile) throws(SiteError) -> Bool {
        guard try size() == other.size() else { return false }
        while case let next = try read(), !next.isEmpty {
            guard try other.read() == next else { return false }
        }
        return true
    }

    /// Appends the bytes of another file from its current offset to its end.
    /// - Returns: the digest of these bytes.
    package func copy(from other: borrowing OpenFile) throws(SiteError) -> Digest {
        var hasher = ContentHasher()
        while case let next = try other.read(), !next.isEmpty {
            hasher.update(next.span.bytes)
            try write(Array(next))
        }
        return hasher.finish()
    }

    /// Begins to write the content of the file to the disk, so that `sync` has less to wait for.
    func beginSynchronizing() { file_begin_writing(descriptor) }

    /// Makes the content of the file durable.
    package func sync() throws(SiteError) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private var failure: SiteError { .write(path: path, errno: errno) }
}

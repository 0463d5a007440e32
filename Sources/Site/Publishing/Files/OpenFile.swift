internal import Foundation
package import PhotoModel

/// A regular file held open. Closed when released; one that was written is to be finished before, as some file
/// systems tell only then what they could not write.
package struct OpenFile: ~Copyable {
    private static let chunk = 1 << 18

    /// For messages.
    let path: String
    /// -1 once it is closed.
    private var descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ends the writing of a file.
    /// - Throws: `SiteError.write` for what the file system tells no sooner, as network ones and quotas do.
    package mutating func finish() throws(SiteError) {
        let closed = close(descriptor)
        descriptor = -1
        // EINTR leaves it closed on Linux, where a second call would close somebody else's file (close(2)).
        guard closed == 0 || errno == EINTR else { throw failure }
    }

    /// Whether there is anything at `path`, be it out of reach.
    static func exists(at path: String) -> Bool { access(path, F_OK) == 0 || errno != ENOENT }

    /// Opens a file to be read. `path` may lead through symbolic links.
    package init(reading path: String) throws(SiteError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .write(path: path, errno: errno) }
        self.init(path: path, descriptor: descriptor)
    }

    /// Opens an entry of a folder to be read, if it is not a symbolic link.
    package init(reading name: String, in folder: Folder) throws(SiteError) {
        // Not to wait for a writer, should a pipe have come in the place of the file.
        let descriptor = openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw folder.failure(name) }
        self.init(path: folder.path(of: name), descriptor: descriptor)
    }

    /// Makes a new file in a folder.
    package init(creating name: String, in folder: Folder) throws(SiteError) {
        let descriptor = openat(folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw folder.failure(name) }
        self.init(path: folder.path(of: name), descriptor: descriptor)
    }

    /// The permission bits.
    package func mode() throws(SiteError) -> UInt32 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return UInt32(status.st_mode) & 0o7777
    }

    /// Gives it these permission bits, unless it has them.
    package func set(mode: UInt32) throws(SiteError) {
        guard try self.mode() != mode else { return }
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw failure }
    }

    /// In bytes.
    package func size() throws(SiteError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return Int64(status.st_size)
    }

    /// Its size in bytes, and by what it is known again.
    func status() throws(SiteError) -> (bytes: Int64, identity: FileIdentity?) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return (Int64(status.st_size), FileIdentity(status))
    }

    /// Whether it could have a second name in the folder.
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

    /// - Returns: Up to a chunk of what comes next; nothing at the end.
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

    /// Whether what is left of this file is `bytes`.
    func holds(_ bytes: [UInt8]) throws(SiteError) -> Bool {
        guard try size() == Int64(bytes.count) else { return false }
        var rest = bytes[...]
        while case let next = try read(), !next.isEmpty {
            guard rest.starts(with: next) else { return false }
            rest = rest.dropFirst(next.count)
        }
        return rest.isEmpty
    }

    /// Whether what is left of this file is what is left of another one.
    func hasSameContent(as other: borrowing OpenFile) throws(SiteError) -> Bool {
        guard try size() == other.size() else { return false }
        while case let next = try read(), !next.isEmpty {
            guard try other.read() == next else { return false }
        }
        return true
    }

    /// Writes what is left of another file.
    /// - Returns: the digest of that.
    package func copy(from other: borrowing OpenFile) throws(SiteError) -> Digest {
        var hasher = ContentHasher()
        while case let next = try other.read(), !next.isEmpty {
            hasher.update(next.span.bytes)
            try write(Array(next))
        }
        return hasher.finish()
    }

    /// Makes the content last through a power cut.
    package func sync() throws(SiteError) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private var failure: SiteError { .write(path: path, errno: errno) }
}

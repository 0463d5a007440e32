internal import CFileCalls
internal import Foundation

/// An open regular file, which is closed when it is released.
struct StoreFile: ~Copyable {
    private let path: String
    /// -1 after `close`.
    private var descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

    /// - Throws: write errors that the file system reports only when a file is closed, as network file systems do.
    mutating func close() throws(ObjectStoreError) {
        let closed = Foundation.close(descriptor)
        descriptor = -1
        // On Linux, the descriptor is closed even after EINTR.
        guard closed == 0 || errno == EINTR else { throw failure }
    }

    init(creating path: String) throws(ObjectStoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .file(path: path, errno: errno) }
        self.init(path: path, descriptor: descriptor)
    }

    init(reading path: String) throws(ObjectStoreError) {
        guard let file = try Self(ifExists: path) else { throw .file(path: path, errno: ENOENT) }
        self = file
    }

    /// Opens a file for reading.
    /// - Returns: nil if it does not exist.
    init?(ifExists path: String) throws(ObjectStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 && errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .file(path: path, errno: errno) }
        self.init(path: path, descriptor: descriptor)
    }

    private func status() throws(ObjectStoreError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return status
    }

    /// The size of the file in bytes.
    func size() throws(ObjectStoreError) -> Int64 { Int64(try status().st_size) }

    /// Whether everybody who may read a folder may read the file.
    func isReadable(likeFolder path: String) throws(ObjectStoreError) -> Bool {
        var folder = stat()
        guard stat(path, &folder) == 0 else { throw .file(path: path, errno: errno) }
        let file = try status()
        return folder.st_mode & 0o444 & ~file.st_mode == 0
    }

    /// Whether the entry at a path is this file.
    func isSame(as path: String) -> Bool {
        var (file, other) = (stat(), stat())
        return fstat(descriptor, &file) == 0 && lstat(path, &other) == 0 && file.st_dev == other.st_dev
            && file.st_ino == other.st_ino
    }

    func write(_ bytes: [UInt8]) throws(ObjectStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw failure }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Reads the file from its beginning, which a file system may do in several steps.
    func read(atMost limit: Int) throws(ObjectStoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(limit, Int(try size())))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { bytes in
                let room = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return Foundation.read(descriptor, room.baseAddress, room.count)
            }
            guard count >= 0 || errno == EINTR else { throw failure }
            if count == 0 { break }
            filled += max(0, count)
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Appends the content of another file, inside the server where it can do that.
    func copy(from other: borrowing StoreFile) throws(ObjectStoreError) {
        guard file_copy(other.descriptor, descriptor) == 0 else { throw failure }
    }

    /// Makes the content durable.
    func sync() throws(ObjectStoreError) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private var failure: ObjectStoreError { .file(path: path, errno: errno) }
}

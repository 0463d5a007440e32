internal import CFileCalls
internal import Foundation
internal import PhotoModel

/// An open regular file, which is closed when it is released.
final class StoreFile {
    private let path: String
    /// -1 after `close`.
    private var descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

    /// - Throws: write errors that the file system reports only when a file is closed, as network file systems do.
    func close() throws(ObjectStoreError) {
        let closed = Foundation.close(descriptor)
        descriptor = -1
        // On Linux, the descriptor is closed even after EINTR.
        guard closed == 0 || errno == EINTR else { throw failure }
    }

    convenience init(creating path: String) throws(ObjectStoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .file(path: path, errno: errno) }
        self.init(path: path, descriptor: descriptor)
    }

    convenience init(reading path: String) throws(ObjectStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, errno: errno) }
        self.init(path: path, descriptor: descriptor)
    }

    /// Opens a file for reading.
    /// - Returns: nil if it does not exist.
    convenience init?(ifExists path: String) throws(ObjectStoreError) {
        do throws(ObjectStoreError) {
            try self.init(reading: path)
        } catch {
            if case .file(_, ENOENT) = error { return nil }
            throw error
        }
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
        let isSameGroup = file.st_gid == folder.st_gid || file.st_mode & S_IROTH != 0
        return folder.st_mode & 0o444 & ~file.st_mode == 0 && (isSameGroup || folder.st_mode & S_IRGRP == 0)
    }

    /// Whether the entry at a path is this file.
    func isSame(as path: String) -> Bool {
        var (file, other) = (stat(), stat())
        return fstat(descriptor, &file) == 0 && lstat(path, &other) == 0 && file.st_dev == other.st_dev
            && file.st_ino == other.st_ino
    }

    func write(_ bytes: [UInt8]) throws(ObjectStoreError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ObjectStoreError) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(ObjectStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            guard count >= 0 || errno == EINTR else { throw failure }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Removes the content, so that the next bytes are written at the beginning.
    func truncate() throws(ObjectStoreError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure }
    }

    /// Reads bytes from an offset into a buffer.
    /// - Returns: their number; 0 at the end of the file.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ObjectStoreError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw failure }
        }
    }

    /// The digest of `count` bytes from an offset.
    /// - Throws: `ObjectStoreError.file` with ENODATA if the file ends before them.
    func digest(at offset: Int64, count: Int64) throws(ObjectStoreError) -> Digest {
        var hasher = ContentHasher()
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        var done: Int64 = 0
        while done < count {
            let wanted = min(bytes.count, Int(count - done))
            let found = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(ObjectStoreError) in
                try read(at: offset + done, into: .init(UnsafeMutableBufferPointer(rebasing: bytes[..<wanted])))
            }
            guard found > 0 else { throw .file(path: path, errno: ENODATA) }
            hasher.update(bytes.span.extracting(..<found).bytes)
            done += Int64(found)
        }
        return hasher.finish()
    }

    /// Reads the file from its beginning, which a file system may do in several steps.
    func read(atMost limit: Int) throws(ObjectStoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(limit, Int(try size())))
        var filled = 0
        while filled < bytes.count {
            let count = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(ObjectStoreError) in
                let room = UnsafeMutableBufferPointer(rebasing: bytes[filled...])
                return try read(at: Int64(filled), into: UnsafeMutableRawBufferPointer(room))
            }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Appends the content of another file, inside the server where it can do that.
    func copy(from other: StoreFile) throws(ObjectStoreError) {
        guard file_copy(other.descriptor, descriptor) == 0 else { throw failure }
    }

    /// Makes the content durable.
    func sync() throws(ObjectStoreError) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private var failure: ObjectStoreError { .file(path: path, errno: errno) }
}

internal import CFileCalls
internal import Foundation
internal import PhotoModel
internal import Synchronization

/// A file with a unique name. It is deleted when this object is released, unless it has been renamed.
final class TemporaryFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// The counter that makes the names of one process unique.
    private static let counter = Atomic<UInt64>(0)

    init(in folder: String) throws(DownloadsError) {
        while true {
            let path = Self.newPath(in: folder)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if descriptor >= 0 {
                GroupAccess(ofFolderAt: folder)?.apply(to: descriptor)
                self.path = path
                self.descriptor = descriptor
                return
            }
            // A killed process with the same process ID may have left files here.
            guard errno == EEXIST || errno == EINTR else { throw .write(path: path, errno: errno) }
        }
    }

    /// Takes over an existing file, and renames it to a unique name in `folder`.
    ///
    /// - Returns: nil if there is no file at `old`.
    init?(adopting old: String, into folder: String) throws(DownloadsError) {
        let path = Self.newPath(in: folder)
        guard rename(old, path) == 0 else {
            guard errno == ENOENT else { throw .write(path: path, errno: errno) }
            return nil
        }
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .write(path: path, errno: errno) }
        self.path = path
        self.descriptor = descriptor
    }

    private static func newPath(in folder: String) -> String {
        "\(folder)/\(getpid())-\(counter.add(1, ordering: .relaxed).newValue).part"
    }

    /// Reads the next bytes of a file that was taken over, from its beginning. Bytes that are written then follow those
    /// read.
    ///
    /// - Returns: the number of bytes read; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DownloadsError) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw .write(path: path, errno: errno) }
        }
    }

    /// The first bytes of the file, at most `count`. The offset of the next read or write does not change.
    func firstBytes(_ count: Int) throws(DownloadsError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw .write(path: path, errno: errno) }
            if received == 0 { break }
            filled += received
        }
        return Array(bytes.prefix(filled))
    }

    /// Writes all of `bytes`, even if the kernel accepts them in several pieces only.
    func write(_ bytes: UnsafeRawBufferPointer) throws(DownloadsError) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let written = Foundation.write(descriptor, start, rest.count)
            if written >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            } else if errno != EINTR {
                throw .write(path: path, errno: errno)
            }
        }
    }

    /// Starts the writes that `synchronize()` waits for.
    func beginSynchronizing() { file_begin_writing(descriptor) }

    /// Waits until the content is on the disk, so that the file is complete under any name that it gets afterwards.
    func synchronize() throws(DownloadsError) {
        #if os(Linux)
            let result = fdatasync(descriptor)
        #else
            let result = fsync(descriptor)
        #endif
        guard result == 0 else { throw .write(path: path, errno: errno) }
    }

    deinit {
        close(descriptor)
        // If the file was renamed, nothing has this name any more.
        unlink(path)
    }
}

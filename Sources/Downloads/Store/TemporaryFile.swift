internal import CFileCalls
internal import Foundation
internal import PhotoModel
internal import Synchronization

/// A file under a name of its own that goes away with its owner, unless it was renamed by then.
final class TemporaryFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Tells the temporary files of one process apart.
    private static let counter = Atomic<UInt64>(0)

    init(in folder: String) throws(DownloadsError) {
        while true {
            let path = Self.newPath(in: folder)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            if descriptor >= 0 {
                GroupAccess(ofFolderAt: folder)?.extend(descriptor)
                self.path = path
                self.descriptor = descriptor
                return
            }
            // A process of the same number may have been killed here and left its files.
            guard errno == EEXIST || errno == EINTR else { throw .write(path: path, errno: errno) }
        }
    }

    /// Takes a file over, which stands under a name in `folder` after this.
    ///
    /// - Returns: nil if there is no such file.
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

    /// Reads on, from the beginning of a file that was taken over; what is written then follows what was read.
    ///
    /// - Returns: the bytes read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DownloadsError) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw .write(path: path, errno: errno) }
        }
    }

    /// The first bytes, at most `count`; what is read or written next is so as if they had not been read.
    func start(_ count: Int) throws(DownloadsError) -> [UInt8] {
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

    /// Writes all of `bytes`, whatever pieces the kernel takes them in.
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

    /// Waits until the content is on the disk, so that a name given to the file after this can be relied on.
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
        // After a rename there is nothing left under this name.
        unlink(path)
    }
}

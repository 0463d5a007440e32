internal import Foundation
package import PhotoModel

extension OriginalStore {
    private static let largestPiece = 256 * 1024

    /// Whether the store has an original with the content that its name stands for. A damaged original is removed so
    /// that it is downloaded again: whatever damaged it, the photo is not at fault.
    ///
    /// - Parameter moment: nanoseconds since 1970. A file that was written or renamed since then is assumed to be
    ///   intact.
    package func isIntact(_ digest: Digest, unlessWrittenSince moment: Int64) throws(DownloadsError) -> Bool {
        let path = path(of: digest)
        // `O_NONBLOCK` keeps the open of a FIFO from waiting for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOENT else { throw .write(path: path, errno: code) }
            return false
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .write(path: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        if FileStamp(status).changedNanoseconds >= moment { return true }
        if try Self.digest(of: descriptor, length: Int(status.st_size), path) == digest { return true }
        // Another process may have replaced the file with an intact one in the meantime.
        var now = stat()
        if stat(path, &now) == 0, now.st_ino == status.st_ino { try remove(digest) }
        return false
    }

    /// The bytes of an original; nil if it does not exist or is damaged. A damaged original is removed, unless the
    /// store is read-only.
    package func content(of digest: Digest) throws(DownloadsError) -> [UInt8]? {
        let path = path(of: digest)
        guard let data = FileManager.default.contents(atPath: path) else {
            guard contains(digest) else { return nil }
            throw .write(path: path, errno: EACCES)
        }
        let bytes = [UInt8](data)
        if Digest(of: bytes) == digest { return bytes }
        if !isReadOnly { try remove(digest) }
        return nil
    }

    private static func digest(
        of descriptor: Int32, length: Int, _ path: String
    ) throws(DownloadsError) -> Digest {
        let piece = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(max(length, 1), largestPiece), alignment: 16)
        defer { piece.deallocate() }
        var hasher = ContentHasher()
        while true {
            let count = read(descriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .write(path: path, errno: errno) }
            guard count > 0 else { return hasher.finish() }
            hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]).bytes)
        }
    }
}

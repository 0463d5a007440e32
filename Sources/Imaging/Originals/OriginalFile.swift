internal import CFileCalls
internal import Foundation

/// An original or a derivative in the state folder, opened for reading. If the system allows it, reading does not
/// update the file's access time. Owns the descriptor.
package final class OriginalFile {
    let path: String
    let descriptor: Int32

    package init(path: String) throws(ImagingError) {
        self.path = path
        descriptor = file_open_quietly(path)
        guard descriptor >= 0 else { throw .read(path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// The length of the file in bytes.
    func length() throws(ImagingError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .read(path: path, errno: errno) }
        return Int(status.st_size)
    }

    /// The first bytes of the file, at most `count`. The offset of the descriptor does not change.
    func firstBytes(_ count: Int) throws(ImagingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw .read(path: path, errno: errno) }
            if received == 0 { break }
            filled += received
        }
        return Array(bytes.prefix(filled))
    }
}

package import Foundation

/// Replaces a file as a whole by rename(2), so that readers see either the old content or the new one.
package enum FileReplacement {
    /// - Parameters:
    ///   - target: the absolute path. It must not be a symbolic link, which would be replaced.
    ///   - temporary: the path at which the new content is written first, in the same folder.
    ///   - mode: the permissions of the new file; nil to leave them to the umask.
    ///   - isSynchronized: whether the content is on the disk before the file is replaced.
    /// - Throws: the error of the call that failed. The file is what it was then, and `temporary` is removed.
    package static func replace(
        _ target: String, through temporary: String, with bytes: [UInt8], mode: mode_t? = nil,
        isSynchronized: Bool = true
    ) throws(POSIXError) {
        // A killed process might have left a file.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode == nil ? 0o666 : 0)
        guard descriptor >= 0 else { throw error }
        do throws(POSIXError) {
            try write(bytes, to: descriptor, mode, isSynchronized)
            guard rename(temporary, target) == 0 else { throw error }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, _ mode: mode_t?, _ isSynchronized: Bool
    ) throws(POSIXError) {
        var isClosed = false
        defer { if !isClosed { close(descriptor) } }
        if let mode, fchmod(descriptor, mode) != 0 { throw error }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw error }
            rest = rest.dropFirst(max(0, count))
        }
        guard !isSynchronized || fsync(descriptor) == 0 else { throw error }
        // Some file systems report only here that the disk is full.
        isClosed = true
        guard close(descriptor) == 0 else { throw error }
    }

    private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

package import Foundation

/// Replaces or creates a file as a whole, so that readers see either the old content or the new one, and never a part.
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
        try write(bytes, through: temporary, mode, isSynchronized) { () throws(POSIXError) in
            guard rename(temporary, target) == 0 else { throw error }
        }
    }

    /// Creates a file whose permissions the umask decides, and replaces nothing.
    /// - Parameters:
    ///   - target: the absolute path.
    ///   - temporary: the path at which the content is written first, in the same folder.
    /// - Throws: the error of the call that failed, EEXIST if the path is taken. There is no new file then.
    package static func create(
        _ target: String, through temporary: String, with bytes: [UInt8]
    ) throws(POSIXError) {
        try write(bytes, through: temporary, nil, true) { () throws(POSIXError) in
            if link(temporary, target) == 0 {
                unlink(temporary)
                return
            }
            var status = stat()
            // Some file systems have no hard links.
            guard errno != EEXIST, lstat(target, &status) != 0, rename(temporary, target) == 0 else { throw error }
        }
    }

    /// - Parameter publish: a closure that puts the written file at its path.
    private static func write(
        _ bytes: [UInt8], through temporary: String, _ mode: mode_t?, _ isSynchronized: Bool,
        then publish: () throws(POSIXError) -> Void
    ) throws(POSIXError) {
        // A killed process might have left a file.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode == nil ? 0o666 : 0)
        guard descriptor >= 0 else { throw error }
        do throws(POSIXError) {
            try write(bytes, to: descriptor, mode, isSynchronized)
            try publish()
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

internal import Foundation

/// Replaces the content of a file by rename(2), so that the file is complete at any moment. Its permissions stay, and a
/// symbolic link to it remains a link.
struct FileReplacement {
    /// - Parameters:
    ///   - path: the absolute path of an existing file.
    ///   - shown: the path as messages show it.
    static func replace(_ path: String, shown: String, with bytes: [UInt8]) throws(CommandFailure) {
        do throws(POSIXError) {
            try replace(path, with: bytes)
        } catch {
            let message = String(cString: strerror(error.code.rawValue))
            throw CommandFailure(.inputOutput, "\(shown) can't be written: \(message)")
        }
    }

    private static func replace(_ path: String, with bytes: [UInt8]) throws(POSIXError) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let new = "\(target).new-\(ProcessInfo.processInfo.processIdentifier)"
        // A killed process with the same id might have left a file.
        unlink(new)
        var status = stat()
        guard stat(target, &status) == 0 else { throw error }
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error }
        do throws(POSIXError) {
            defer { close(descriptor) }
            guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw error }
            try write(bytes, to: descriptor)
            guard fsync(descriptor) == 0, rename(new, target) == 0 else { throw error }
        } catch {
            unlink(new)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(POSIXError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw error }
            rest = rest.dropFirst(max(0, count))
        }
    }

    private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

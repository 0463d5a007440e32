internal import Foundation
internal import PhotoModel

/// Replaces the content of a user's list. Its permissions stay, and a symbolic link to it remains a link.
enum ListReplacement {
    /// - Parameters:
    ///   - path: the absolute path of an existing file.
    ///   - shown: the path as messages show it.
    static func replace(_ path: String, shown: String, with bytes: [UInt8]) throws(CommandFailure) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        do throws(POSIXError) {
            var status = stat()
            guard stat(target, &status) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            try FileReplacement.replace(
                target, through: "\(target).new-\(getpid())", with: bytes, mode: status.st_mode & 0o7777)
        } catch {
            let message = String(cString: strerror(error.code.rawValue))
            throw CommandFailure(.inputOutput, "\(shown) can't be written: \(message)")
        }
    }
}

internal import Foundation
internal import PhotoModel

/// Replaces the content of a user's file, such as a list. Its permissions stay, and a symbolic link to it remains a
/// link.
enum UserFileReplacement {
    /// - Parameters:
    ///   - path: the absolute path of a file.
    ///   - shown: the path as messages show it.
    ///   - canCreate: whether a file that does not exist is created.
    static func replace(
        _ path: String, shown: String, with bytes: [UInt8], canCreate: Bool = false
    ) throws(CommandFailure) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        do throws(POSIXError) {
            let mode = try mode(of: target, orOf: path, canCreate: canCreate)
            try FileReplacement.replace(target, through: "\(target).new-\(getpid())", with: bytes, mode: mode)
        } catch {
            let message = systemMessage(error.code.rawValue)
            throw CommandFailure(.inputOutput, "\(shown) can't be written: \(message)")
        }
    }

    /// - Parameter path: the path before symbolic links were resolved. A link to nothing is not replaced by a file.
    /// - Returns: nil if the file is to be created.
    private static func mode(of target: String, orOf path: String, canCreate: Bool) throws(POSIXError) -> mode_t? {
        var status = stat()
        if stat(target, &status) == 0 { return status.st_mode & 0o7777 }
        let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        guard canCreate, error.code == .ENOENT, lstat(path, &status) != 0 else { throw error }
        return nil
    }
}

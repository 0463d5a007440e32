internal import Foundation
internal import Ledger

/// The free space of a disk that may be full, for the error message.
enum FreeSpaceHint {
    /// - Parameters:
    ///   - detail: what went wrong, in the words of the system or of SQLite's error.
    ///   - path: the file or folder that could not be written.
    /// - Returns: "; 4096 bytes are free there", or nothing where room is not what is lacking.
    static func remark(on detail: String, at path: String) -> String {
        guard detail.contains(String(cString: strerror(ENOSPC))) || detail.contains(LedgerError.roomQuestion) else {
            return ""
        }
        var place = path
        var status = statvfs()
        while statvfs(place, &status) != 0 {
            let parent = (place as NSString).deletingLastPathComponent
            guard parent != place, !parent.isEmpty else { return "" }
            place = parent
        }
        return "; \(UInt64(status.f_bavail) * UInt64(status.f_frsize)) bytes are free there"
    }
}

internal import Foundation
package import Ledger
internal import PhotoModel

/// Why a file or folder of the state folder can't be used.
package enum StorageFailure: Hashable, Sendable {
    /// A system call failed. `action` is a clause that says what failed, such as "it can't be removed"; nil for a plain
    /// read or write.
    case system(errno: Int32, action: String? = nil)
    /// SQLite failed. The cause might be a full disk, which SQLite does not always report as such.
    case database(detail: String)
    /// The reason as a clause.
    case other(String)
}

extension StorageFailure {
    /// - Parameter error: an error of Foundation's file functions. Its own message hides the reason: "There isn't
    ///   enough space" can mean a full disk, an exhausted quota, or neither.
    package init(_ error: any Error, action: String) {
        if let code = error.systemCode {
            self = .system(errno: code, action: action)
        } else {
            self = .other("\(action): \(error.localizedDescription)")
        }
    }

    package init(detail: String, isDiskFull: LedgerError.DiskFull) {
        switch isDiskFull {
        case .yes: self = .system(errno: ENOSPC)
        case .possibly: self = .database(detail: detail)
        case .no: self = .other(detail)
        }
    }

    /// The reason as a clause, with the amount of free space if a lack of it is a possible cause, and with advice about
    /// permissions if they are the cause.
    /// - Parameter path: the path of the file or folder that can't be used.
    package func message(at path: String) -> String {
        switch self {
        case .system(let errno, let action):
            (action.map { $0 + ": " } ?? "") + systemMessage(errno) + Self.advice(errno, path)
        case .database(let detail):
            "\(detail); check that the disk has free space and the folder is writable" + Self.freeSpace(at: path)
        case .other(let detail): detail
        }
    }

    private static func advice(_ errno: Int32, _ path: String) -> String {
        switch errno {
        case ENOSPC: freeSpace(at: path)
        case EACCES: "; run gallerygen as the owner, or let this user read and write it (chown, chmod)"
        default: ""
        }
    }

    /// - Returns: "; 4096 bytes are free", or an empty string if the amount is unknown.
    private static func freeSpace(at path: String) -> String {
        var place = path
        var status = statvfs()
        while statvfs(place, &status) != 0 {
            let parent = (place as NSString).deletingLastPathComponent
            guard parent != place, !parent.isEmpty else { return "" }
            place = parent
        }
        return "; \(UInt64(status.f_bavail) * UInt64(status.f_frsize)) bytes are free"
    }
}

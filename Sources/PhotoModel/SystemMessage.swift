internal import Foundation

/// The system's message for an error code of a system call, such as "No such file or directory".
package func systemMessage(_ errno: Int32) -> String { String(cString: strerror(errno)) }

/// The reason of an error of Foundation's file functions as a clause. Their own message hides it: "The operation could
/// not be completed" can mean a folder in the place of a file, or a full disk.
package func systemMessage(_ error: any Error) -> String {
    error.systemCode.map { systemMessage($0) } ?? error.localizedDescription
}

extension Error {
    /// The error code of the system call that made one of Foundation's file functions fail; nil if there is none.
    package var systemCode: Int32? { ((self as? CocoaError)?.underlying as? POSIXError)?.code.rawValue }
}

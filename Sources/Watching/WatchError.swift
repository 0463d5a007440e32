internal import Foundation

/// The process has no file descriptor left for a watch.
package struct WatchError: Error, CustomStringConvertible {
    /// `errno` of the call that failed.
    let code: Int32

    package var description: String { "no pipe can be made: \(String(cString: strerror(code)))" }
}

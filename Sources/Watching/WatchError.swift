internal import PhotoModel

/// The process has no file descriptor left for a watch.
package struct WatchError: Error, CustomStringConvertible {
    /// `errno` of the failed call.
    let code: Int32

    package var description: String { "can't create a pipe: \(systemMessage(code))" }
}

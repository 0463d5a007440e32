internal import CLibCurl
internal import PhotoModel

/// An error on this side of a download, which concerns every photo.
package enum DownloadsError: Error, Hashable, Sendable {
    /// A file or folder of the store could not be created, written, read or renamed.
    case write(path: String, errno: Int32)
    /// libcurl could not be initialised, or ran out of memory. The value is its message.
    case curl(String)
    /// The system refused to start a thread.
    case thread(errno: Int32)
}

extension DownloadsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .write(let path, let code): "\(path) can't be written: \(systemMessage(code))"
        case .curl(let message): "libcurl failed: \(message)"
        case .thread(let code): "a thread can't be started: \(systemMessage(code))"
        }
    }
}

extension DownloadsError {
    init(_ code: CURLcode) { self = .curl(String(cString: curl_easy_strerror(code))) }
    init(_ code: CURLMcode) { self = .curl(String(cString: curl_multi_strerror(code))) }
}

internal import Foundation

/// The target of a request line.
enum RequestTarget {
    /// The path of a target in the origin form (RFC 9112 §3.2.1), which is the only one that a preview answers.
    /// - Parameter target: the target without its query, as the request has it.
    /// - Returns: the path without percent-encoding: "/photo/a.html". It is nil for another form, for an encoding that
    ///   is invalid or not that of UTF-8, and for a path with "." or "..", which browsers resolve themselves.
    static func path(_ target: String) -> String? {
        guard target.hasPrefix("/"), !target.hasPrefix("//"), let path = target.removingPercentEncoding else {
            return nil
        }
        let components = path.split(separator: "/")
        return components.contains("..") || components.contains(".") || path.contains("\0") ? nil : path
    }
}

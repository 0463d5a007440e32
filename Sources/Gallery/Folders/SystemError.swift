internal import Foundation

extension Error {
    /// What went wrong in the system's own words, where an error of Foundation comes from a refusal of the system:
    /// its own words hide which one ("There isn't enough space" is a full disk, or a quota, or neither).
    var systemMessage: String {
        guard let posix = (self as? CocoaError)?.underlying as? POSIXError else { return localizedDescription }
        return String(cString: strerror(posix.code.rawValue))
    }
}

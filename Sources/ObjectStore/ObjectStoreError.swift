internal import Foundation

/// A reason why a request to an object store failed.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// No credentials were found.
    case noCredentials
    /// A setting of the environment or of a profile is invalid. The text says which setting and why.
    case settings(String)
    /// The store could not be reached. The text is libcurl's message.
    case connection(String)
    /// The store refused the request with an error code, such as "AccessDenied", and a message.
    case refused(status: Int, code: String, message: String)
    /// The store reported success, but its response is not `wanted`, which is a noun phrase.
    case unexpectedResponse(_ wanted: String)
    /// A key is not allowed.
    case key(String)
    /// A file or folder of this machine, or of a store that is a folder, could not be read or written.
    case file(path: String, errno: Int32)
    case interrupted
}

extension ObjectStoreError {
    /// The message for users, as a clause: what happened and what to do.
    package var message: String {
        switch self {
        case .noCredentials:
            "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
                + "or write a profile in ~/.aws/credentials"
        case .settings(let text): text
        case .connection(let text): "the connection failed: \(text)"
        case .refused(let status, let code, let message):
            "the store refused: \(code.isEmpty ? "HTTP status \(status)" : code)"
                + (message.isEmpty ? "" : ": \(message)")
        case .unexpectedResponse(let wanted): "the store's answer is not \(wanted)"
        case .key(let key): "'\(key)' is not a valid key; keys have only letters, digits, '-', '.', '_' and '/'"
        case .file(let path, let errno): "\(path): \(String(cString: strerror(errno)))"
        case .interrupted: "interrupted"
        }
    }

    /// Whether the same request might succeed a little later.
    var isTransient: Bool {
        switch self {
        case .connection: true
        case .refused(let status, let code, _): status >= 500 || status == 429 || code == "RequestTimeout"
        case .noCredentials, .settings, .unexpectedResponse, .key, .file, .interrupted: false
        }
    }

    package var isNotFound: Bool {
        if case .refused(404, let code, _) = self { code != "NoSuchBucket" } else { false }
    }
}

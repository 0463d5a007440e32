/// Why a request to an object store failed.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// No credentials were found.
    case noCredentials
    /// A setting of the environment or of a profile can't be used; the text says which, and why.
    case settings(String)
    /// The store could not be reached; the text is libcurl's.
    case connection(String)
    /// The store refused: its code, such as "AccessDenied", and its message.
    case refused(status: Int, code: String, message: String)
    case interrupted
}

extension ObjectStoreError {
    /// What happened and what to do, as a clause.
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
        case .interrupted: "interrupted"
        }
    }

    /// Whether the same request may succeed a little later.
    var isTransient: Bool {
        switch self {
        case .connection: true
        case .refused(let status, let code, _): status >= 500 || status == 429 || code == "RequestTimeout"
        case .noCredentials, .settings, .interrupted: false
        }
    }

    package var isNotFound: Bool {
        if case .refused(404, let code, _) = self { code != "NoSuchBucket" } else { false }
    }
}

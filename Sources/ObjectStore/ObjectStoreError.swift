internal import PhotoModel

/// A reason why a request to an object store failed.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// No credentials were found.
    case noCredentials
    /// No temporary credentials were granted. The text is a clause that says why.
    case temporaryCredentials(String)
    /// A setting of the environment or of a profile is invalid. The text says which setting and why.
    case settings(String)
    /// The store could not be reached. The text is libcurl's message.
    case connection(String)
    /// The store refused the request with an error code, such as "AccessDenied", and a message.
    case refused(status: Int, code: String, message: String)
    /// The store refused the request with an error code, and its clock and that of this machine differ too much. The
    /// number is positive if this machine's clock is ahead.
    case clock(secondsAhead: Int, code: String)
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
        case .temporaryCredentials(let text): "no temporary credentials were granted: \(text)"
        case .settings(let text): text
        case .connection(let text): "the connection failed: \(text)"
        case .refused(let status, let code, let message):
            "the store refused: \(code.isEmpty ? "HTTP status \(status)" : code)"
                + (message.isEmpty ? "" : ": \(message)") + (Self.advice[code].map { "; \($0)" } ?? "")
        case .clock(let seconds, let code):
            "the store refused\(code.isEmpty ? "" : ": \(code)"); the clock of this machine is "
                + "\((abs(seconds) + 30) / 60) minutes \(seconds < 0 ? "behind" : "ahead of") the store's; "
                + "set the clock"
        case .unexpectedResponse(let wanted): "the store's answer is not \(wanted)"
        case .key(let key): "'\(key)' is not a valid key; keys have only letters, digits, '-', '.', '_' and '/'"
        case .file(let path, let errno): "\(path): \(systemMessage(errno))"
        case .interrupted: "interrupted"
        }
    }

    /// The advice about errors that users can correct, by their codes.
    private static let advice = [
        "AccessDenied": "the credentials lack a permission, such as s3:ListBucket, s3:GetObject or s3:PutObject",
        "ExpiredToken": "get new credentials",
        "InvalidAccessKeyId": "check the access key and the address of the store",
        "NoSuchBucket": "create the bucket, or check its name and the address of the store",
        "RequestTimeTooSkewed": "set the clock of this machine",
        "SignatureDoesNotMatch": "check the secret key",
    ]

    /// The codes of errors that pass, beside those with a status of 429 or 500 and more. A request that arrived
    /// incompletely has some of them, and so has an answer with the status 200 about one of several keys.
    private static let transientCodes: Set<String> = [
        "IDPCommunicationError", "IncompleteBody", "InternalError", "RequestTimeout", "ServiceUnavailable", "SlowDown",
        "Throttling", "ThrottlingException",
    ]

    /// Whether the same request might succeed a little later.
    var isTransient: Bool {
        switch self {
        case .connection: true
        case .refused(501, _, _): false
        case .refused(let status, let code, _): status >= 500 || status == 429 || Self.transientCodes.contains(code)
        case .noCredentials, .temporaryCredentials, .settings, .clock, .unexpectedResponse, .key, .file, .interrupted:
            false
        }
    }

    /// Whether another request for the same key was running.
    var isConflict: Bool {
        if case .refused(409, let code, _) = self {
            code == "ConditionalRequestConflict" || code == "OperationAborted"
        } else {
            false
        }
    }

    /// The status of a response that reports no success.
    var status: Int? {
        if case .refused(let status, _, _) = self { status } else { nil }
    }

    package var isNotFound: Bool {
        if case .refused(404, let code, _) = self { code != "NoSuchBucket" } else { false }
    }
}

/// A detail of a failure that has a fixed set of values. The ledger stores its raw value. The raw value after the name
/// of its group is the name of its words in `Templates/strings`: "found.web-page".
package protocol FailureDetail: RawRepresentable<String>, Codable, CaseIterable, Hashable, Sendable {
    static var group: String { get }
    /// The detail in English words, as a part of a sentence.
    var english: String { get }
}

/// The kind of a file that is not a picture.
package enum ContentKind: String, FailureDetail {
    case empty
    case webPage = "web-page"
    case xml
    case json
    case text
    case pdf
    case compressed
    case video
    case unknown

    package static let group = "found"

    package var english: String {
        switch self {
        case .empty: "an empty file"
        case .webPage: "a web page"
        case .xml: "an XML document"
        case .json: "JSON"
        case .text: "text"
        case .pdf: "a PDF document"
        case .compressed: "compressed data"
        case .video: "a video or audio file"
        case .unknown: "unknown data"
        }
    }
}

/// Why a file can't be read, in cases for which the system has no error number.
package enum FileProblem: String, FailureDetail {
    case folder
    case notRegular = "not-regular"
    case permission
    case linkLoop = "link-loop"

    package static let group = "file"

    package var english: String {
        switch self {
        case .folder: "it is a folder"
        case .notRegular: "it is not a regular file"
        case .permission: "permission denied"
        case .linkLoop: "its symbolic links form a loop"
        }
    }
}

/// The mistakes in an address.
package enum AddressProblem: String, FailureDetail, Error {
    case missing
    // The value has another type than text.
    case number
    case date
    case data
    case boolean
    case dict
    case array
    case empty
    case noScheme = "no-scheme"
    case noHost = "no-host"
    case badHost = "bad-host"
    case badHostName = "bad-host-name"
    case badPort = "bad-port"
    case badIPv6 = "bad-ipv6"
    case controlCharacter = "control-character"
    case nullCharacter = "null-character"
    case badPercentEncoding = "bad-percent-encoding"
    case foreignFileHost = "foreign-file-host"
    case relativeFileURL = "relative-file-url"
    case tooLong = "too-long"
    case invalid
    case redirectTooLong = "redirect-too-long"
    case invalidOrRedirect = "invalid-or-redirect"
    /// A redirect leads to an address with a user name, and a server must not choose the user.
    case redirectToUser = "redirect-to-user"

    package static let group = "address"

    package var english: String {
        switch self {
        case .missing: "there is none (expected text, or a dict with url, image, icon or src)"
        case .number: "it is a number (expected text)"
        case .date: "it is a date (expected text)"
        case .data: "it is binary data (expected text)"
        case .boolean: "it is true or false (expected text)"
        case .dict: "it is a dict (expected text)"
        case .array: "it is an array (expected text)"
        case .empty: "it is empty"
        case .noScheme: "it is neither a path nor starts with http:// or https://"
        case .noHost: "it has no host"
        case .badHost: "its host contains invalid characters"
        case .badHostName: "its host name is not valid"
        case .badPort: "its port is not a number from 1 to 65535"
        case .badIPv6: "its IPv6 address in brackets is malformed"
        case .controlCharacter: "it contains a control character"
        case .nullCharacter: "it contains a null character"
        case .badPercentEncoding: "its percent-encoding is malformed"
        case .foreignFileHost: "a file: address can't name another machine"
        case .relativeFileURL: "a file: address must have an absolute path"
        case .tooLong: "it is longer than 64 KB"
        case .invalid: "it is not a valid URL"
        case .redirectTooLong: "it redirects to an address longer than 64 KB"
        case .invalidOrRedirect: "it is not a valid URL, or redirects to one that is not"
        case .redirectToUser: "it redirects to an address with a user name, which is not followed"
        }
    }
}

/// Damage to a picture for which no decoder has a message.
package enum Damage: String, FailureDetail {
    case contentEncoding = "content-encoding"
    case changedFile = "changed-file"

    package static let group = "damage"

    package var english: String {
        switch self {
        case .contentEncoding: "the server compressed it in a way that can't be undone"
        case .changedFile: "the file changed while it was read"
        }
    }
}

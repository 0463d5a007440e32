internal import Addresses

/// Mistakes in an address.
enum AddressProblem: Error {
    case missing
    /// Something else stands where text is expected; what people call it.
    case notText(String)
    case empty
    case noScheme
    case noHost
    case badHost
    case badPort
    case badIPv6
    case controlCharacter
    case badPercentEncoding
    case foreignFileHost
    case relativeFileURL

    /// The end of the sentence "The address is not usable: …".
    var words: String {
        switch self {
        case .missing: "there is none (expected text, or a dict with url, image, icon or src)"
        case .notText(let found): "it is \(found) (expected text)"
        case .empty: "it is empty"
        case .noScheme: "it is neither a path nor begins with http:// or https://"
        case .noHost: "it has no host"
        case .badHost: "its host has characters that no host can have"
        case .badPort: "its port is not a number from 1 to 65535"
        case .badIPv6: "its IPv6 address in brackets is malformed"
        case .controlCharacter: "it has a control character in it"
        case .badPercentEncoding: "its percent-encoding is malformed"
        case .foreignFileHost: "a file: address can't name another machine"
        case .relativeFileURL: "a file: address must have an absolute path"
        }
    }
}

extension AddressProblem {
    /// - Parameter problem: with an address that has the scheme http or https.
    init(_ problem: URLProblem) {
        self =
            switch problem.kind {
            case .noScheme: .noScheme
            case .noHost: .noHost
            case .badPort: .badPort
            case .badIPv6: .badIPv6
            case .controlCharacter: .controlCharacter
            case .badHost, .badFileURL: .badHost
            }
    }
}

internal import CLibCurl

/// The reason why a text is not a usable URL.
package struct URLProblem: Error, Hashable {
    package enum Kind: Hashable, Sendable {
        case noScheme
        case noHost
        case badHost
        case badPort
        case badIPv6
        case controlCharacter
        case badFileURL
    }

    package let kind: Kind
    /// The end of the sentence "The address is not usable: …". The message never quotes the address.
    package let message: String

    init(_ kind: Kind, message: String) { (self.kind, self.message) = (kind, message) }

    init(_ code: CURLUcode) {
        kind =
            switch code {
            case CURLUE_BAD_SCHEME, CURLUE_UNSUPPORTED_SCHEME: .noScheme
            case CURLUE_NO_HOST, CURLUE_BAD_SLASHES: .noHost
            case CURLUE_BAD_PORT_NUMBER: .badPort
            case CURLUE_BAD_IPV6: .badIPv6
            case CURLUE_BAD_PATH, CURLUE_BAD_QUERY, CURLUE_BAD_FRAGMENT: .controlCharacter
            case CURLUE_BAD_FILE_URL: .badFileURL
            default: .badHost
            }
        let message = String(cString: curl_url_strerror(code))
        self.message = message.prefix(1).lowercased() + message.dropFirst()
    }
}

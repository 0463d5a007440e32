/// The sentences about failures. Their raw values are their names in the ledger and, after "reason.", in
/// `Templates/strings`. Each name begins with the code of its failure.
package enum ReasonSentence: String, Codable, CaseIterable, Sendable {
    case notFound = "not-found"
    case forbidden
    case httpStatus = "http-status"
    case httpStatusOfProxy = "http-status-of-proxy"
    case dns
    case dnsOfProxy = "dns-of-proxy"
    case connect
    case connectOfProxy = "connect-of-proxy"
    case connectByProxy = "connect-by-proxy"
    case connectRefusedByProxy = "connect-refused-by-proxy"
    case tls
    case tlsOfProxy = "tls-of-proxy"
    case timeout
    case timeoutOfProxy = "timeout-of-proxy"
    case stalled
    case interrupted
    case tooManyRedirects = "too-many-redirects"
    case blockedAddress = "blocked-address"
    case blockedAddressOfMachine = "blocked-address-of-machine"
    case blockedAddressAfterPublic = "blocked-address-after-public"
    case unsupportedScheme = "unsupported-scheme"
    case tooLarge = "too-large"
    case tooLargeToDecode = "too-large-to-decode"
    case tooLargeForSystem = "too-large-for-system"
    case notAnImage = "not-an-image"
    case unsupportedFormat = "unsupported-format"
    case truncated
    case corrupt
    case tooManyPixels = "too-many-pixels"
    case tooManyPixelsASide = "too-many-pixels-a-side"
    case missingFile = "missing-file"
    case unreadableFile = "unreadable-file"
    case badAddress = "bad-address"
    case changed
    /// A sentence whose facts are unknown, as it was read. It has no name in `Templates/strings`.
    case verbatim

    /// The code that the sentence belongs to; nil for `verbatim`, which is used with any code.
    package var code: ReasonCode? { Self.codes[self] }

    /// The sentence in English, for `status.json` and the console.
    package var english: TextPattern { Self.patterns[self] ?? .empty }

    /// A sentence belongs to the longest code that its name begins with: `timeout-of-proxy` to `timeout`.
    private static let codes = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { sentence in
            ReasonCode.allCases
                .filter { sentence.rawValue == $0.rawValue || sentence.rawValue.hasPrefix($0.rawValue + "-") }
                .max { $0.rawValue.utf8.count < $1.rawValue.utf8.count }
                .map { (sentence, $0) }
        })

    private static let patterns = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { sentence in
            TextPattern(sentence.englishText).map { (sentence, $0) }
        })

    private var englishText: String {
        switch self {
        case .notFound: "Not found: the server has nothing at this address (status {status})."
        case .forbidden: "Access denied (status {status})."
        case .httpStatus: "The server answered with status {status}."
        case .httpStatusOfProxy: "The proxy {proxy} requires a user name and a password (status {status})."
        case .dns: "Unknown host {host}: its name could not be looked up."
        case .dnsOfProxy: "Unknown proxy {proxy}: its name could not be looked up."
        case .connect: "Could not connect to {host}."
        case .connectOfProxy: "The proxy {proxy} can't be reached."
        case .connectByProxy: "The proxy {proxy} could not connect to {host}."
        case .connectRefusedByProxy: "The proxy {proxy} refused to connect to {host} (status {status})."
        case .tls: "The secure connection to {host} failed: {detail}."
        case .tlsOfProxy: "No secure connection to the proxy {proxy}: {detail}."
        case .timeout: "The server took longer than {duration}."
        case .timeoutOfProxy: "The proxy {proxy} did not connect within {duration}."
        case .stalled: "The server sent nothing for {duration}."
        case .interrupted: "The connection was lost before the download was complete."
        case .tooManyRedirects: "The server redirected more than {limit} times."
        case .blockedAddress: "{host} has a private or reserved address; --allow-private allows it."
        case .blockedAddressOfMachine:
            "{host} points to this machine or its local link; only a list on this machine may use it, written as an"
                + " IP address or as localhost."
        case .blockedAddressAfterPublic:
            "{host} has a private or reserved address, and redirects from public servers to it are not followed."
        case .unsupportedScheme: "Addresses that start with {scheme}: are not supported."
        case .tooLarge: "The file is larger than the limit of {size}."
        case .tooLargeToDecode:
            "The picture needs {needed} of memory, more than the limit of {size}; --memory {option} would allow it."
        case .tooLargeForSystem: "The picture needs {needed} of memory, more than the system has available."
        case .notAnImage: "Expected a picture, found {phrase}."
        case .unsupportedFormat: "Pictures in the format {format} are not supported."
        case .truncated: "The picture is cut off: the end of the file is missing."
        case .corrupt: "The picture is damaged: {detail}."
        case .tooManyPixels: "The picture has {width} × {height} pixels, more than the limit of {limit}."
        case .tooManyPixelsASide: "The picture has {width} × {height} pixels; the limit for each side is {limit}."
        case .missingFile: "File not found: {path}."
        case .unreadableFile: "The file {path} can't be read: {phrase}."
        case .changed: "The source has other bytes (SHA-256 {sha256}) than the list pins."
        case .badAddress: "Invalid address: {phrase}."
        case .verbatim: "{text}"
        }
    }
}

/// The sentences about failures. The raw values are the names of the sentences in `Templates/strings`, after "reason.",
/// and in the ledger; each begins with its code.
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
    /// A sentence whose facts are unknown, as it was read; it has no name in `Templates/strings`.
    case verbatim

    /// The code that the sentence belongs to; nil for `verbatim`, which any code may have.
    package var code: ReasonCode? { Self.codes[self] }

    /// The sentence in English, as `status.json` and the console have it.
    package var english: TextPattern { Self.patterns[self] ?? .empty }

    private static let codes = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { sentence in
            ReasonCode.allCases.first {
                sentence.rawValue == $0.rawValue || sentence.rawValue.hasPrefix($0.rawValue + "-")
            }.map { (sentence, $0) }
        })

    private static let patterns = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { sentence in
            TextPattern(sentence.englishText).map { (sentence, $0) }
        })

    private var englishText: String {
        switch self {
        case .notFound: "Not found: the server has nothing at this address (status {status})."
        case .forbidden: "The server does not let us have it (status {status})."
        case .httpStatus: "The server answered with status {status}."
        case .httpStatusOfProxy: "The proxy {proxy} wants a user and a password (status {status})."
        case .dns: "The name {host} is unknown: no server could be looked up."
        case .dnsOfProxy: "The proxy {proxy} is unknown: its name could not be looked up."
        case .connect: "No connection to {host}: nobody answers there."
        case .connectOfProxy: "The proxy {proxy} can't be reached: nobody answers there."
        case .connectByProxy: "The proxy {proxy} does not connect us to {host}."
        case .connectRefusedByProxy: "The proxy {proxy} refuses to connect to {host} (status {status})."
        case .tls: "The secure connection to {host} failed: {detail}."
        case .tlsOfProxy: "No secure connection to the proxy {proxy}: {detail}."
        case .timeout: "The server took longer than {duration}."
        case .timeoutOfProxy: "The proxy {proxy} brought no connection about within {duration}."
        case .stalled: "The server sent nothing for {duration}."
        case .interrupted: "The connection was lost before everything had arrived."
        case .tooManyRedirects: "The server redirected more than {limit} times."
        case .blockedAddress:
            "The address of {host} is private or reserved and may not be asked; --allow-private allows it."
        case .blockedAddressOfMachine:
            "The address of {host} means this machine or its link, which is asked only where a list on this"
                + " machine names it by its IP address or as localhost."
        case .blockedAddressAfterPublic:
            "The address of {host} is private or reserved, and no redirect of a public server is followed there."
        case .unsupportedScheme: "Addresses that start with {scheme}: are not fetched."
        case .tooLarge: "The file is larger than the limit of {size}."
        case .tooLargeToDecode:
            "The picture needs {needed} of memory, more than the {size} that are allowed; --memory {option}"
                + " would allow it."
        case .tooLargeForSystem: "The picture needs {needed} of memory, and the system gives no more."
        case .notAnImage: "What arrived is {phrase}, not a picture."
        case .unsupportedFormat: "Pictures in the format {format} are not supported."
        case .truncated: "The picture is cut off: its end is missing."
        case .corrupt: "The picture is damaged: {detail}."
        case .tooManyPixels: "The picture claims {width} × {height} pixels, more than the limit of {limit}."
        case .tooManyPixelsASide: "The picture claims {width} × {height} pixels; no side may have more than {limit}."
        case .missingFile: "File not found: {path}."
        case .unreadableFile: "The file {path} can't be read: {phrase}."
        case .badAddress: "The address is not usable: {phrase}."
        case .verbatim: "{text}"
        }
    }
}

/// Why a photo can't be shown, as facts. `Reason` has the code and the words for them. A new case also needs a code in
/// `ReasonCode`, a sentence in `ReasonSentence` and Templates/strings, and a line in `Failure+Retrying`.
package enum Failure: Error, Hashable, Sendable {
    /// The server answered 404 or 410.
    case notFound(status: Int)
    /// The server answered 401 or 403.
    case forbidden(status: Int)
    /// The server answered with any other status that comes without a picture.
    case httpStatus(Int)
    case dns(host: String)
    case connect(host: String)
    case tls(host: String, detail: String)
    /// The proxy failed, and not the server.
    case proxy(host: String, ProxyProblem)
    /// The whole transfer, or the connection, took longer than the limit in seconds.
    case timeout(seconds: Double)
    /// The server sent no byte for this number of seconds.
    case stalled(seconds: Double)
    /// The connection was lost before the transfer was complete.
    case interrupted
    case tooManyRedirects(limit: Int)
    /// The address policy does not allow this host.
    case blockedAddress(host: String, AddressRefusal)
    case unsupportedScheme(String)
    /// The file is larger than the limit in bytes.
    case tooLarge(limit: Int64)
    /// The content is not a picture.
    case notAnImage(ContentKind)
    /// The picture has an unsupported format, given by its name: "AVIF".
    case unsupportedFormat(String)
    case truncated
    /// The picture is damaged; the text is the decoder's own message.
    case corrupt(String)
    case damaged(Damage)
    /// The picture has more pixels than the limit.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// The picture is wider or higher than its format allows here. All values are in pixels.
    case sideTooLong(width: Int, height: Int, limit: Int)
    /// The derivatives would need more memory than the limit for all photos together, in bytes.
    case tooMuchMemory(needed: Int64, limit: Int64)
    /// The system has less memory available than needed, in bytes, although the limit allows it.
    case noMemory(needed: Int64)
    /// The file doesn't exist; the path is that of the manifest.
    case missingFile(String)
    case unreadableFile(String, FileProblem)
    /// The file can't be read; the path is that of the manifest, with the system's error number.
    case fileError(String, errno: Int32)
    /// The content has another digest than the list pins.
    case otherContent(Digest)
    case badAddress(AddressProblem)
    /// The address is malformed; the text is libcurl's own message.
    case malformedAddress(String)
}

extension Failure {
    /// The same failure without host names. They must be hidden if it isn't certain where the user in an address ends,
    /// because the host that is requested might then be a part of the user or the password.
    package var withoutHosts: Failure {
        let hidden = "…"
        return switch self {
        case .dns: .dns(host: hidden)
        case .connect: .connect(host: hidden)
        case .tls: .tls(host: hidden, detail: hidden)
        case .blockedAddress(_, let refusal): .blockedAddress(host: hidden, refusal)
        case .proxy(let proxy, .refused(_, let status)): .proxy(host: proxy, .refused(host: hidden, status: status))
        default: self
        }
    }
}

/// Why the address policy does not allow a host.
package enum AddressRefusal: Hashable, Sendable {
    /// The address is in a private or reserved network, and `--allow-private` was not given.
    case privateNetwork
    /// The address is that of this machine or its link, and no local list contains it literally.
    case machine
    /// The address is not public, and a public server redirected to it.
    case afterPublic
}

/// The failures of a proxy.
package enum ProxyProblem: Hashable, Sendable {
    /// The proxy's name can't be resolved.
    case unknown
    case unreachable
    /// The proxy refused the connection to a server. `status` is that of its answer, if it speaks HTTP.
    case refused(host: String, status: Int?)
    /// The proxy answered with 407 in place of the server.
    case wantsPassword
    case tls(detail: String)
    /// The connection to the proxy, or by the proxy to the server, took longer than this number of seconds.
    case slow(seconds: Double)
}

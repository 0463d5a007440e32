/// Why a photo cannot be shown: the facts. The code and the words made of them are in `Reason`. A new case also needs
/// a code in `ReasonCode`, its sentence in `ReasonSentence` and Templates/strings, and a line in `Failure+Retrying`.
package enum Failure: Error, Hashable, Sendable {
    /// The server answered 404 or 410.
    case notFound(status: Int)
    /// The server answered 401 or 403.
    case forbidden(status: Int)
    /// The server answered with any other status that brings no picture.
    case httpStatus(Int)
    case dns(host: String)
    case connect(host: String)
    case tls(host: String, detail: String)
    /// The proxy by which the server was to be asked, and not the server.
    case proxy(host: String, ProxyProblem)
    /// The whole transfer, or the connection, took longer than allowed. Seconds.
    case timeout(seconds: Double)
    /// No byte arrived for so many seconds.
    case stalled(seconds: Double)
    /// The connection was lost before the transfer was complete.
    case interrupted
    case tooManyRedirects(limit: Int)
    /// The policy on addresses does not allow this host.
    case blockedAddress(host: String, AddressRefusal)
    case unsupportedScheme(String)
    /// More bytes than the cap allows. Bytes.
    case tooLarge(limit: Int64)
    /// The content is no picture.
    case notAnImage(ContentKind)
    /// A picture in a format that is not read, by the name of the format: "AVIF".
    case unsupportedFormat(String)
    case truncated
    /// The decoder's own message.
    case corrupt(String)
    case damaged(Damage)
    /// More pixels than the cap allows. Pixels.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// More pixels in a row or a column than are read of this format. Pixels.
    case sideTooLong(width: Int, height: Int, limit: Int)
    /// Making its derivatives would hold more than all photos may together. Bytes.
    case tooMuchMemory(needed: Int64, limit: Int64)
    /// The system gives no more memory, though so much is allowed. Bytes.
    case noMemory(needed: Int64)
    /// The path as the manifest has it.
    case missingFile(String)
    case unreadableFile(String, FileProblem)
    /// The path as the manifest has it, and the error of the system.
    case fileError(String, errno: Int32)
    case badAddress(AddressProblem)
    /// libcurl's own message about an address.
    case malformedAddress(String)
}

extension Failure {
    /// The same failure without the names of hosts: of an address in which it isn't certain where the user ends, what
    /// is asked as the host may be a part of the user or of the password.
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

/// Why the policy on addresses does not allow a host.
package enum AddressRefusal: Hashable, Sendable {
    /// The address is in a private or reserved network, and `--allow-private` was not given.
    case privateNetwork
    /// The address is this machine or its link, and no list on this machine names it literally.
    case machine
    /// The address is not public, and a public server redirected to it.
    case afterPublic
}

/// Failures of a proxy.
package enum ProxyProblem: Hashable, Sendable {
    /// The proxy's name can't be resolved.
    case unknown
    case unreachable
    /// The proxy refuses the connection to a server; with its status, if it speaks HTTP.
    case refused(host: String, status: Int?)
    /// The proxy answered with 407 in place of the server.
    case wantsPassword
    case tls(detail: String)
    /// There was no connection within so many seconds, with it or by it.
    case slow(seconds: Double)
}

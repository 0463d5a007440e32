package import PhotoModel

/// The URL that sent the validators of an original, if it is not the address itself. Validators are only compared with
/// those of the same URL (RFC 9110 §8.8.3): after a redirect, they say nothing about the address, and nothing about the
/// target of another redirect.
package enum Responder: Hashable, Sendable {
    /// The validators were recorded by a version that did not know where they came from.
    case unknown
    /// The target of a redirect, as the digest of its URL without the query. Stores often sign a URL anew for each
    /// request, and the signature is in the query.
    case target(Digest)

    /// - Parameter redirects: the redirects that were followed; nil if there were none.
    /// - Returns: nil for the address itself.
    init?(_ redirects: RedirectChain?) {
        guard let redirects else { return nil }
        self = .target(Digest(of: redirects.target.withoutQuery))
    }
}

extension Responder {
    /// The form in the ledger: "*" if it is unknown, or else the digest.
    package var text: String {
        switch self {
        case .unknown: "*"
        case .target(let digest): digest.hex
        }
    }

    /// - Parameter text: the form in the ledger. If it can't be read, the responder is unknown.
    package init(text: String) {
        self = Digest(hex: text).map { .target($0) } ?? .unknown
    }
}

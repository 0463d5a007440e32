internal import Foundation

/// The keys with which requests are signed.
struct Credentials: Hashable, Sendable {
    let accessKey: String
    let secretKey: String
    var sessionToken: String?
    /// When the keys end; nil for keys without an end.
    var expiration: Date?

    /// - Throws: `ObjectStoreError.settings` for characters that no keys have: a line break would start another header,
    ///   or another line of the signed text.
    func check() throws(ObjectStoreError) {
        guard [accessKey, secretKey, sessionToken ?? ""].allSatisfy({ $0.utf8.allSatisfy { (33...126).contains($0) } })
        else { throw .settings("the access key, secret key or session token has characters that none has") }
    }
}

/// Where credentials come from.
enum CredentialSource: Sendable {
    case fixed(Credentials)
    /// Temporary credentials for a token that an identity provider, such as a Kubernetes cluster, has written to a file.
    case webIdentity(WebIdentity)
}

/// Credentials that are renewed before they end, by one thread at a time.
final class CredentialCache: Sendable {
    private let source: CredentialSource
    private let now: @Sendable () -> Date
    private let isCancelled: @Sendable () -> Bool
    private let current = Held()

    /// Temporary credentials are renewed when they have less than this time left, in seconds.
    private static let renewalTime: TimeInterval = 300

    /// The credentials that were received last.
    private final class Held: @unchecked Sendable {
        /// Guards `credentials`. It is held during a renewal, so that other threads wait for its result.
        let lock = NSLock()
        var credentials: Credentials?
    }

    init(_ source: CredentialSource, now: @escaping @Sendable () -> Date, isCancelled: @escaping @Sendable () -> Bool) {
        self.source = source
        self.now = now
        self.isCancelled = isCancelled
    }

    /// Credentials that are valid now.
    func valid() throws(ObjectStoreError) -> Credentials {
        guard case .webIdentity(let identity) = source else {
            if case .fixed(let credentials) = source { return credentials }
            throw .noCredentials
        }
        current.lock.lock()
        defer { current.lock.unlock() }
        let time = now()
        let left = current.credentials?.expiration?.timeIntervalSince(time) ?? 0
        if let credentials = current.credentials, left > Self.renewalTime { return credentials }
        do throws(ObjectStoreError) {
            let credentials = try identity.request(at: time, isCancelled: isCancelled)
            current.credentials = credentials
            return credentials
        } catch {
            // The next request tries again.
            if let credentials = current.credentials, left > 0, error != .interrupted { return credentials }
            throw error
        }
    }
}

internal import Foundation
internal import Synchronization

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

/// The source of credentials.
enum CredentialSource: Sendable {
    case fixed(Credentials)
    /// Temporary credentials for a token that an identity provider has written to a file, as Kubernetes does.
    case webIdentity(WebIdentity)
}

/// Credentials that are renewed before they end, by one thread at a time.
final class CredentialCache: Sendable {
    private let source: CredentialSource
    private let now: @Sendable () -> Date
    private let isCancelled: @Sendable () -> Bool
    /// The temporary credentials that were received last. The lock is held during a renewal, so that other threads wait
    /// for its result.
    private let current = Mutex(Received())

    private struct Received {
        var credentials: Credentials?
        /// The time of the last renewal that failed; nil if none did.
        var failed: Date?
    }

    /// Temporary credentials are renewed when they have less than this time left, in seconds.
    private static let renewalTime: TimeInterval = 300
    /// The pause after a renewal that failed while the credentials are valid, in seconds.
    private static let pause: TimeInterval = 30

    init(_ source: CredentialSource, now: @escaping @Sendable () -> Date, isCancelled: @escaping @Sendable () -> Bool) {
        self.source = source
        self.now = now
        self.isCancelled = isCancelled
    }

    /// Credentials that are valid now.
    func valid() throws(ObjectStoreError) -> Credentials {
        switch source {
        case .fixed(let credentials): return credentials
        case .webIdentity(let identity):
            return try current.withLock { (current) throws(ObjectStoreError) in
                try renew(&current, identity)
                guard let credentials = current.credentials else { throw .noCredentials }
                return credentials
            }
        }
    }

    private func renew(_ current: inout Received, _ identity: WebIdentity) throws(ObjectStoreError) {
        let time = now()
        let left = current.credentials?.expiration?.timeIntervalSince(time) ?? 0
        guard left <= Self.renewalTime else { return }
        if left > 0, let failed = current.failed, time.timeIntervalSince(failed) < Self.pause { return }
        do throws(ObjectStoreError) {
            current = Received(credentials: try identity.request(at: time, isCancelled: isCancelled))
        } catch {
            // While the credentials are valid, a later request tries again.
            guard left > 0, error != .interrupted else { throw error }
            current.failed = time
        }
    }
}

/// Tells whether a host may be named to others.
package enum PublicHost {
    /// Whether a host is public by its spelling alone. The names of private networks are nobody else's business.
    package static func isPublic(_ host: String) -> Bool { HostnameClassifier.scope(of: host) == .global }
}

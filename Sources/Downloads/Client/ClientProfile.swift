/// How this client presents itself: user agent, header fields and credentials for hosts, trusted certificates, and
/// proxies.
package struct ClientProfile: Hashable, Sendable {
    /// The value of the `User-Agent` field, without line breaks.
    package var userAgent: String
    package var headers: HostHeaders
    /// The path of the netrc file in which libcurl looks up users and passwords by host. A missing file contains none.
    /// If this is nil, none are looked up.
    package var netrc: String?
    package var certificates: TrustedCertificates
    package var proxies: Proxies

    package init(
        userAgent: String, headers: HostHeaders = HostHeaders(), netrc: String? = nil,
        certificates: TrustedCertificates = TrustedCertificates(), proxies: Proxies = Proxies()
    ) {
        self.userAgent = userAgent
        self.headers = headers
        self.netrc = netrc
        self.certificates = certificates
        self.proxies = proxies
    }
}

/// The certificates that are trusted for servers and proxies, in place of the system's.
package struct TrustedCertificates: Hashable, Sendable {
    /// The path of a file with one or more certificates in PEM format; nil for those of the system.
    package var file: String?
    /// The paths of folders of certificates in OpenSSL's format, separated by colons; nil for those of the system.
    package var folders: String?

    package init(file: String? = nil, folders: String? = nil) {
        self.file = file
        self.folders = folders
    }
}

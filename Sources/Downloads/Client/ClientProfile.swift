/// The identity of requests: user agent, header fields and credentials for hosts, trusted certificates, and proxies.
package struct ClientProfile: Hashable, Sendable {
    /// The `User-Agent` field, without line breaks.
    package var userAgent: String
    package var headers: HostHeaders
    /// A netrc file in which libcurl looks for users and passwords, host by host; one that is not there holds none.
    /// Nil to look nowhere.
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

/// The certificates that vouch for servers and proxies, where they are not those of the system.
package struct TrustedCertificates: Hashable, Sendable {
    /// Certificates in PEM, one after the other; nil for those of the system.
    package var file: String?
    /// Folders of certificates in OpenSSL's form, separated by colons; nil for those of the system.
    package var folders: String?

    package init(file: String? = nil, folders: String? = nil) {
        self.file = file
        self.folders = folders
    }
}

internal import Foundation

/// The address of an S3 store and the credentials, from the variables and files that the AWS tools use.
package struct S3Configuration: Sendable {
    let credentials: CredentialSource
    let region: String
    /// The URL of the store without a slash at its end; nil for AWS itself.
    let endpoint: String?
    /// The path of a file with certificates of authorities; nil for those of the system.
    let certificates: String?

    /// - Parameters:
    ///   - environment: the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN;
    ///     AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN, AWS_ROLE_SESSION_NAME; AWS_REGION, AWS_DEFAULT_REGION;
    ///     AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL; AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE,
    ///     AWS_CONFIG_FILE; AWS_CA_BUNDLE. Settings without a variable are read from the profile.
    ///   - home: the folder with `.aws` in it; nil if there is none.
    ///   - endpoint: the URL of the store, which takes precedence over variables and profiles.
    ///   - region: the region, which takes precedence over variables and profiles.
    /// - Throws: `ObjectStoreError.settings` or `noCredentials`.
    package init(
        environment: [String: String], home: String?, endpoint: String? = nil, region: String? = nil
    ) throws(ObjectStoreError) {
        let settings = AWSSettings(environment: environment, home: home)
        let region =
            region ?? settings.variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? settings.profile("region")
            ?? "us-east-1"
        guard !region.isEmpty, region.utf8.allSatisfy({ Self.isPlain($0) }) else {
            throw .settings("'\(region)' is not a valid region")
        }
        self.region = region
        self.endpoint = try Self.checked(
            endpoint ?? settings.variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
                ?? settings.profile("endpoint_url"))
        certificates = settings.variable("AWS_CA_BUNDLE")
        credentials = try settings.credentials(
            temporaryFrom: try Self.checked(settings.variable("AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"))
                ?? "https://sts.\(region).\(Self.domain(region))", certificates: certificates)
    }

    /// The URL of a server without slashes at its end.
    private static func checked(_ text: String?) throws(ObjectStoreError) -> String? {
        guard var url = text else { return nil }
        while url.hasSuffix("/") { url.removeLast() }
        // The host is signed as libcurl sends it, which encodes other characters.
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil, parts.user == nil,
            url.utf8.allSatisfy({ (33...126).contains($0) })
        else { throw .settings("the endpoint '\(url)' is no http or https address") }
        return url
    }

    private static func domain(_ region: String) -> String {
        region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    }

    /// Whether the byte is an ASCII letter, a digit or a hyphen.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 32) && byte > 64 || byte == UInt8(ascii: "-")
    }

    /// The URL of a bucket, without a slash at its end. The bucket is in the path for a custom endpoint, and for a name
    /// with dots, which no wildcard certificate covers.
    package func address(ofBucket bucket: String) -> String {
        if let endpoint { return "\(endpoint)/\(bucket)" }
        let domain = Self.domain(region)
        return bucket.contains(".")
            ? "https://s3.\(region).\(domain)/\(bucket)" : "https://\(bucket).s3.\(region).\(domain)"
    }
}

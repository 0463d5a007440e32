internal import Foundation

/// The address of an S3 store and the credentials, from the variables and files that the AWS tools use.
package struct S3Configuration: Sendable {
    let accessKey: String
    let secretKey: String
    let sessionToken: String?
    let region: String
    /// The URL of the store without a slash at its end; nil for AWS itself.
    let endpoint: String?
    /// The path of a file with certificates of authorities; nil for those of the system.
    let certificates: String?

    /// - Parameters:
    ///   - environment: the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; AWS_REGION,
    ///     AWS_DEFAULT_REGION; AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL; AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE,
    ///     AWS_CONFIG_FILE; AWS_CA_BUNDLE. Settings without a variable are read from the profile.
    ///   - home: the folder with `.aws` in it; nil if there is none.
    ///   - endpoint: the URL of the store, which takes precedence over variables and profiles.
    ///   - region: the region, which takes precedence over variables and profiles.
    package init(
        environment: [String: String], home: String?, endpoint: String? = nil, region: String? = nil
    ) throws(ObjectStoreError) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let profile = variable("AWS_PROFILE") ?? "default"
        let credentialsPath = variable("AWS_SHARED_CREDENTIALS_FILE") ?? home.map { $0 + "/.aws/credentials" }
        let configPath = variable("AWS_CONFIG_FILE") ?? home.map { $0 + "/.aws/config" }
        let credentials = ProfileFile(path: credentialsPath)[profile]
        let config = ProfileFile(path: configPath)[profile == "default" ? profile : "profile \(profile)"]
        if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
            (accessKey, secretKey, sessionToken) = (key, secret, variable("AWS_SESSION_TOKEN"))
        } else if let key = credentials["aws_access_key_id"] ?? config["aws_access_key_id"],
            let secret = credentials["aws_secret_access_key"] ?? config["aws_secret_access_key"]
        {
            (accessKey, secretKey) = (key, secret)
            sessionToken = credentials["aws_session_token"] ?? config["aws_session_token"]
        } else {
            throw .noCredentials
        }
        self.region =
            region ?? variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? config["region"] ?? credentials[
                "region"]
            ?? "us-east-1"
        guard self.region.utf8.allSatisfy({ Self.isPlain($0) }) else {
            throw .settings("'\(self.region)' is not a valid region")
        }
        var endpoint =
            endpoint ?? variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL") ?? config["endpoint_url"]
            ?? credentials["endpoint_url"]
        while let text = endpoint, text.hasSuffix("/") { endpoint = String(text.dropLast()) }
        if let text = endpoint {
            guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased()),
                parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil, parts.user == nil
            else { throw .settings("the endpoint '\(text)' is no http or https address") }
        }
        self.endpoint = endpoint
        certificates = variable("AWS_CA_BUNDLE")
        // A line break would start another header, or another line of the signed text.
        guard [accessKey, secretKey, sessionToken ?? ""].allSatisfy({ $0.utf8.allSatisfy { (33...126).contains($0) } })
        else { throw .settings("the access key, secret key or session token has characters that none has") }
    }

    /// Whether the byte is an ASCII letter, a digit or a hyphen.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 32) && byte > 64 || byte == UInt8(ascii: "-")
    }

    /// The URL of a bucket, without a slash at its end. The bucket is in the path for a custom endpoint, and for a name
    /// with dots, which no wildcard certificate covers.
    package func address(ofBucket bucket: String) -> String {
        if let endpoint { return "\(endpoint)/\(bucket)" }
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return bucket.contains(".")
            ? "https://s3.\(region).\(domain)/\(bucket)" : "https://\(bucket).s3.\(region).\(domain)"
    }
}

/// A configuration file of the AWS tools, which has sections in brackets with lines of "name = value".
struct ProfileFile {
    private var sections: [String: [String: String]] = [:]

    /// - Parameter path: the path of the file; nil for no file. A file that can't be read counts as empty.
    init(path: String?) {
        guard let path, let data = FileManager.default.contents(atPath: path) else { return }
        var section = ""
        for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("#") || text.hasPrefix(";") { continue }
            if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
                section = text[text.index(after: text.startIndex)..<end].trimmingCharacters(in: .whitespaces)
            } else if let equals = text.firstIndex(of: "="), line.first?.isWhitespace == false {
                // Indented lines belong to nested settings, which are not used.
                let name = text[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
                sections[section, default: [:]][name] = text[text.index(after: equals)...]
                    .trimmingCharacters(in: .whitespaces)
            }
        }
    }

    subscript(section: String) -> [String: String] { sections[section] ?? [:] }
}

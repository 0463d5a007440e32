internal import Foundation

/// A role that may be assumed with a token from a file (AssumeRoleWithWebIdentity of AWS STS).
struct WebIdentity: Hashable, Sendable {
    let tokenFile: String
    let role: String
    let sessionName: String
    /// The URL of the server of temporary credentials, without a slash at its end.
    let endpoint: String
    /// The path of a file with certificates of authorities; nil for those of the system.
    let certificates: String?

    /// Requests temporary credentials. The file is read each time, because its tokens are replaced before they end.
    /// - Throws: `ObjectStoreError.temporaryCredentials` if the request fails.
    func request(at time: Date, isCancelled: @escaping @Sendable () -> Bool) throws(ObjectStoreError) -> Credentials {
        do throws(ObjectStoreError) {
            let connection = try HTTPConnection(certificates: certificates, isCancelled: isCancelled)
            let request = HTTPRequest(
                method: "POST", url: endpoint + "/",
                headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/xml")],
                body: .bytes(Array(try form().utf8)), date: time)
            let response = try RequestAttempts(isCancelled: isCancelled).run { () throws(ObjectStoreError) in
                try connection.send(request)
            }
            return try Self.credentials(in: response.body)
        } catch {
            switch error {
            case .interrupted, .file, .settings: throw error
            default: throw .temporaryCredentials(error.message)
            }
        }
    }

    private func form() throws(ObjectStoreError) -> String {
        let token = String(decoding: try StoreFile(reading: tokenFile).read(atMost: 1 << 20), as: UTF8.self)
        let values = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", sessionName),
            ("WebIdentityToken", token.trimmingCharacters(in: .whitespacesAndNewlines)),
        ]
        return values.map { "\($0.0)=\(SignatureEncoding.encoded($0.1))" }.joined(separator: "&")
    }

    static func credentials(in answer: [UInt8]) throws(ObjectStoreError) -> Credentials {
        let found = ResponseElement(answer)?.child("AssumeRoleWithWebIdentityResult")?.child("Credentials")
        guard let found, let key = found["AccessKeyId"], let secret = found["SecretAccessKey"],
            let token = found["SessionToken"], let expiration = found["Expiration"].flatMap(Self.date)
        else { throw .unexpectedResponse("one with temporary credentials") }
        let credentials = Credentials(
            accessKey: key, secretKey: secret, sessionToken: token, expiration: expiration)
        try credentials.check()
        return credentials
    }

    /// The date in "2026-11-09T13:34:41Z" or "2026-11-09T13:34:41.000Z".
    private static func date(_ text: String) -> Date? {
        guard text.hasSuffix("Z") else { return nil }
        // A text that can't be parsed is a valid outcome: the caller reports the whole answer as unexpected.
        return try? Date(text.prefix(19) + "Z", strategy: .iso8601)
    }
}

internal import CLibCrypto
internal import Foundation
internal import PhotoModel

/// Signs requests with AWS Signature Version 4, with the signature in the header Authorization.
struct RequestSigner {
    let credentials: Credentials
    let region: String
    let service: String

    /// The parts of a request that are signed.
    struct Subject {
        let method: String
        /// The value of the header Host.
        let host: String
        /// The path as it is sent, encoded once.
        let path: String
        /// The query as it is sent, in its canonical form.
        let query: String
        let headers: [(name: String, value: String)]
        /// The SHA-256 of the body in hexadecimal digits.
        let bodyDigest: String
    }

    /// The headers of a signed request: those of `subject` and of the signature. Host is not among them.
    func headers(for subject: Subject, at date: Date) -> [(name: String, value: String)] {
        let time = Self.timestamp(date)
        var headers = subject.headers
        headers.append(("x-amz-content-sha256", subject.bodyDigest))
        headers.append(("x-amz-date", time))
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        headers.append(("Authorization", authorization(subject, headers, time)))
        return headers
    }

    /// The value of the header Authorization.
    /// - Parameter headers: all headers but Host.
    func authorization(
        _ subject: Subject, _ headers: [(name: String, value: String)], _ time: String
    ) -> String {
        let signed = (headers + [("host", subject.host)]).map { (name: $0.name.lowercased(), value: $0.value) }
            .sorted { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let lines =
            [subject.method, subject.path, subject.query]
            + signed.map { "\($0.name):\(Self.trimmed($0.value))" } + ["", names, subject.bodyDigest]
        let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
        let text = ["AWS4-HMAC-SHA256", time, scope, Digest(of: lines.joined(separator: "\n")).hex]
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for part in scope.split(separator: "/") { key = Self.hmac(key, String(part)) }
        let signature = Self.hmac(key, text.joined(separator: "\n")).hex
        return "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), "
            + "Signature=\(signature)"
    }

    /// The value without spaces at its ends, and with one space in the place of several.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }

    /// An HMAC with SHA-256 (RFC 2104).
    private static func hmac(_ key: [UInt8], _ text: String) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let bytes = Array(text.utf8)
        let made = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &result, &count)
        precondition(made != nil && count == SHA256_DIGEST_LENGTH, "libcrypto has no HMAC with SHA-256")
        return Array(result.prefix(Int(count)))
    }

    /// The time in UTC as "20130524T000000Z".
    static func timestamp(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2) + "T"
            + digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2) + "Z"
    }
}

internal import CLibCrypto
internal import Foundation

/// A request to a bucket.
struct S3Request {
    let method: String
    /// The key of the object, without a slash at its beginning; empty for a request to the bucket.
    var key = ""
    /// The parameters of the query with their values, which can be empty.
    var query: [String: String] = [:]
    var headers: [(name: String, value: String)] = []
    var body = RequestBody.none

    /// The path of the key in a URL, after the URL of the bucket.
    var path: String { "/" + SignatureEncoding.encoded(key, keepingSlashes: true) }

    /// The query in the canonical form of the signature: encoded, and sorted by the encoded names.
    var canonicalQuery: String {
        let pairs = query.map { (SignatureEncoding.encoded($0.key), SignatureEncoding.encoded($0.value)) }
        return pairs.sorted { $0.0 < $1.0 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

/// An MD5 digest (RFC 1321), which S3 uses only to detect damage.
package struct MD5: Hashable, Sendable {
    let bytes: [UInt8]

    package init(of content: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 16)
        let code = EVP_Digest(content, content.count, &digest, nil, EVP_md5(), nil)
        precondition(code == 1, "libcrypto has no MD5")
        bytes = digest
    }

    /// The digest as in an entity tag, without the quotes.
    package var hex: String { bytes.hex }

    /// The digest as in the header Content-MD5.
    var base64: String { Data(bytes).base64EncodedString() }
}

extension [UInt8] {
    /// The bytes as lower-case hexadecimal digits.
    var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

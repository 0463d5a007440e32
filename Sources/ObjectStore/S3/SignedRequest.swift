internal import CLibCrypto
internal import Foundation

/// A request to a store. The query is sorted by name and encoded as the signature requires, because libcurl before 8.4
/// signs it as it is.
struct SignedRequest {
    let method: String
    /// The key of the object, without a slash at its beginning; empty for a request to the bucket.
    var key = ""
    /// The parameters of the query with their values, which can be empty.
    var query: [String: String] = [:]
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// The path and the query in the URL, after the URL of the bucket.
    var pathAndQuery: String {
        let pairs = query.sorted { $0.key < $1.key }.map {
            Self.encoded($0.key, keepingSlashes: false) + "=" + Self.encoded($0.value, keepingSlashes: false)
        }
        return "/" + Self.encoded(key, keepingSlashes: true) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// The text with all characters but the unreserved ones as %XX (RFC 3986 §2.3).
    private static func encoded(_ text: String, keepingSlashes: Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            case UInt8(ascii: "/") where keepingSlashes: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
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
    package var hex: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The digest as in the header Content-MD5.
    var base64: String { Data(bytes).base64EncodedString() }
}

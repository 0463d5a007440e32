internal import CLibCrypto

/// A SHA-256 digest (FIPS 180-4), as 64 lower-case hexadecimal digits.
package struct Digest: Hashable, Codable, Sendable, CustomStringConvertible {
    package let hex: String

    /// - Returns: nil unless `hex` has 64 lower-case hexadecimal digits.
    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        self.hex = hex
    }

    fileprivate init(bytes: some Collection<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        hex = String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The digest of the UTF-8 bytes of `text`.
    package init(of text: String) {
        var hasher = ContentHasher()
        hasher.update(Array(text.utf8).span.bytes)
        self = hasher.finish()
    }

    /// The digest of `bytes`.
    package init(of bytes: [UInt8]) {
        var hasher = ContentHasher()
        hasher.update(bytes.span.bytes)
        self = hasher.finish()
    }

    package var description: String { hex }

    /// The first `count` digits, for names in which a whole digest would be too long.
    package func prefix(_ count: Int) -> String { String(hex.prefix(count)) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Digest(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a SHA-256 digest")
        }
        self = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

/// Computes the digest of bytes that arrive in pieces. Owns libcrypto's context.
package struct ContentHasher: ~Copyable {
    private let context: OpaquePointer

    package init() {
        // EVP_MD_CTX_new returns NULL only when memory has run out, which Swift itself does not survive either.
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        self.context = context
    }

    package mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    package consuming func finish() -> Digest {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        EVP_DigestFinal_ex(context, &bytes, &count)
        return Digest(bytes: bytes.prefix(Int(count)))
    }

    deinit { EVP_MD_CTX_free(context) }
}

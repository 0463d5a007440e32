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

    fileprivate init(bytes: [UInt8]) {
        hex = String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
            // Within the capacity: two digits a byte.
            for (index, byte) in bytes.enumerated() {
                digits[2 * index] = Self.digit(byte >> 4)
                digits[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 48 : 87) }

    /// The digest of the UTF-8 bytes of `text`.
    package init(of text: String) {
        var text = text
        self = text.withUTF8 { Self.digest(of: UnsafeRawBufferPointer($0)) }
    }

    /// The digest of `bytes`.
    package init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Self.digest(of: $0) }
    }

    /// The bytes are read before this returns. In one call, which costs a tenth of setting up a hasher for a short text.
    private static func digest(of bytes: UnsafeRawBufferPointer) -> Digest {
        var result = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        // An empty text may have no address, which libcrypto takes for no length as well.
        SHA256(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &result)
        return Digest(bytes: result)
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
        return Digest(bytes: Array(bytes.prefix(Int(count))))
    }

    deinit { EVP_MD_CTX_free(context) }
}

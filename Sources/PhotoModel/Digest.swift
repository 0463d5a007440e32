internal import CLibCrypto

/// A SHA-256 digest (FIPS 180-4), written as 64 lower-case hexadecimal digits. It is stored as 32 bytes, because a
/// large gallery has many digests.
package struct Digest: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The bytes in big-endian order, eight in each word.
    private let words: InlineWords

    /// Four words that are stored inline, without an allocation.
    private struct InlineWords: Hashable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0

        /// The word with the given index, from 0 to 3.
        subscript(index: Int) -> UInt64 {
            get {
                switch index {
                case 0: first
                case 1: second
                case 2: third
                default: fourth
                }
            }
            set {
                switch index {
                case 0: first = newValue
                case 1: second = newValue
                case 2: third = newValue
                default: fourth = newValue
                }
            }
        }
    }

    /// - Returns: nil unless `hex` has 64 lower-case hexadecimal digits.
    package init?(hex: String) {
        var hex = hex
        guard let digest = hex.withUTF8({ Digest(hexDigits: $0) }) else { return nil }
        self = digest
    }

    /// - Returns: nil unless `digits` has 64 lower-case hexadecimal digits.
    package init?(hexDigits digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count == Self.digitCount else { return nil }
        let bytes = UnsafeRawBufferPointer(digits)
        var words = InlineWords()
        for index in 0..<4 {
            guard let high = EightDigits(reading: bytes, at: index * 16)?.value,
                let low = EightDigits(reading: bytes, at: index * 16 + 8)?.value
            else { return nil }
            words[index] = UInt64(high) << 32 | UInt64(low)
        }
        self.words = words
    }

    /// - Parameter bytes: the 32 bytes of the digest.
    fileprivate init(bytes: UnsafeRawBufferPointer) {
        var words = InlineWords()
        for index in 0..<4 {
            words[index] = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        self.words = words
    }

    package static let digitCount = 64

    package var hex: String {
        String(unsafeUninitializedCapacity: Self.digitCount) { digits in
            write(to: digits)
            return Self.digitCount
        }
    }

    /// Writes the digits into a buffer that has room for `digitCount` of them.
    package func write(to digits: UnsafeMutableBufferPointer<UInt8>) {
        let bytes = UnsafeMutableRawBufferPointer(digits)
        for index in 0..<4 {
            let word = words[index]
            EightDigits(of: UInt32(truncatingIfNeeded: word >> 32)).write(to: bytes, at: index * 16)
            EightDigits(of: UInt32(truncatingIfNeeded: word)).write(to: bytes, at: index * 16 + 8)
        }
    }

    /// Appends the digits to a text.
    package func append(to text: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.digitCount) { digits in
            write(to: digits)
            text.append(contentsOf: digits)
        }
    }

    /// The bytes of a digest are evenly distributed, so that one word is sufficient for a hash.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.first) }

    /// The first 128 bits, for tables without room for a whole digest. A collision takes about 2⁶⁴ attempts to find.
    package var firstHalf: (UInt64, UInt64) { (words.first, words.second) }

    /// The digest of the UTF-8 bytes of `text`.
    package init(of text: String) {
        var text = text
        self = text.withUTF8 { Self.digest(of: UnsafeRawBufferPointer($0)) }
    }

    /// The digest of `bytes`.
    package init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Self.digest(of: $0) }
    }

    /// Computes a digest in one call. For a short text, the call costs a fraction of setting up a hasher. The bytes are
    /// not used after it returns.
    private static func digest(of bytes: UnsafeRawBufferPointer) -> Digest {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(SHA256_DIGEST_LENGTH)) { result in
            // An empty text can have a null address, which libcrypto accepts if the length is 0. The call fills all of
            // `result`.
            let code = EVP_Digest(bytes.baseAddress, bytes.count, result.baseAddress, nil, Algorithm.sha256, nil)
            precondition(code == 1, "libcrypto has no memory for a digest")
            return Digest(bytes: UnsafeRawBufferPointer(result))
        }
    }

    package var description: String { hex }

    /// The first `count` digits, for names in which a whole digest would be too long.
    package func prefix(_ count: Int) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.digitCount) { digits in
            write(to: digits)
            return String(decoding: digits.prefix(max(0, count)), as: UTF8.self)
        }
    }

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

/// Digests are ordered like their hexadecimal texts.
extension Digest: Comparable {
    package static func < (left: Digest, right: Digest) -> Bool {
        for index in 0..<4 where left.words[index] != right.words[index] {
            return left.words[index] < right.words[index]
        }
        return false
    }
}

/// Computes the digest of bytes that arrive in pieces. Owns libcrypto's context, and frees it when released.
package struct ContentHasher: ~Copyable {
    private let context: OpaquePointer

    package init() {
        // EVP_MD_CTX_new returns NULL only if no memory is left, which Swift does not survive either.
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, Algorithm.sha256, nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        self.context = context
    }

    package mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The digest of the bytes so far. More bytes can be added afterwards.
    package borrowing func digestSoFar() -> Digest {
        let copy = ContentHasher()
        // The call fails only if no memory is left, as above.
        precondition(EVP_MD_CTX_copy_ex(copy.context, context) == 1, "libcrypto has no memory for a digest")
        return copy.finish()
    }

    package consuming func finish() -> Digest {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        EVP_DigestFinal_ex(context, &bytes, &count)
        precondition(count == SHA256_DIGEST_LENGTH)
        return bytes.withUnsafeBytes { Digest(bytes: $0) }
    }

    deinit { EVP_MD_CTX_free(context) }
}

/// libcrypto's SHA-256, which is fetched once. `EVP_sha256()` fetches the algorithm by name at each use, which takes
/// longer than hashing a short text.
private enum Algorithm {
    /// Sharing it is safe: libcrypto never changes it, and counts references to it atomically. It is kept until the
    /// program ends.
    nonisolated(unsafe) static let sha256: OpaquePointer = {
        guard let found = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("libcrypto has no SHA-256") }
        return found
    }()
}

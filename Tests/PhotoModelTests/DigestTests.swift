import Foundation
import PhotoModel
import Testing

/// SHA-256 digests, by which originals are stored and found.
@Suite struct DigestTests {
    /// FIPS 180-4's examples, and the empty message.
    static let vectors = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test("The digest of a text is SHA-256 of its UTF-8 bytes", arguments: vectors)
    func vector(_ text: String, hex: String) {
        #expect(Digest(of: text).hex == hex)
        #expect(Digest(of: Array(text.utf8)).description == hex)
    }

    @Test("Bytes that arrive in pieces have the digest of the whole, wherever they are cut")
    func pieces() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for cut in [0, 1, 63, 64, 65, 999, 1000] {
            var hasher = ContentHasher()
            hasher.update(Array(bytes[..<cut]).span.bytes)
            #expect(hasher.digestSoFar() == Digest(of: Array(bytes[..<cut])))
            hasher.update(Array(bytes[cut...]).span.bytes)
            #expect(hasher.finish() == Digest(of: bytes))
        }
    }

    @Test("Texts that Unicode considers equivalent have different digests")
    func normalization() {
        #expect(Digest(of: "é") != Digest(of: "e\u{301}"))
    }

    @Test("Any 64 digits are read and written unchanged")
    func digits() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let hex = String((0..<64).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
            let digest = try #require(Digest(hex: hex))
            #expect(digest.hex == hex)
            #expect(digest.prefix(9) == hex.prefix(9))
        }
    }

    @Test("No other byte is taken for a digit, at any position")
    func otherBytes() {
        let digits = Set("0123456789abcdef".utf8)
        for place in 0..<64 {
            for byte in UInt8.min...UInt8.max where !digits.contains(byte) {
                var hex = Array(Digest(of: "abc").hex.utf8)
                hex[place] = byte
                #expect(hex.withUnsafeBufferPointer { Digest(hexDigits: $0) } == nil, "\(byte) at \(place)")
            }
        }
    }

    @Test("Only 64 lower-case hexadecimal digits are a digest, since a digest from a ledger becomes a file name")
    func validation() {
        let hex = Digest(of: "abc").hex
        #expect(Digest(hex: hex)?.prefix(8) == "ba7816bf")
        for bad in [
            "", String(hex.dropLast()), hex + "0", hex.uppercased(), "/" + hex.dropFirst(), "g" + hex.dropFirst(),
        ] {
            #expect(Digest(hex: bad) == nil)
        }
    }

    @Test("A digest is encoded as its digits, and decoded only from digits")
    func coding() throws {
        let digest = Digest(of: "abc")
        let data = try JSONEncoder().encode([digest])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(digest.hex)\"]")
        #expect(try JSONDecoder().decode([Digest].self, from: data) == [digest])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Digest].self, from: Data(#"["../x"]"#.utf8)) }
    }
}

/// The schemes of URLs (RFC 3986 §3.1).
package enum URLScheme {
    /// The scheme of a text in lower case; nil if the text does not begin with one.
    package static func of(_ text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetterOrDigit($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return text[..<colon].lowercased()
    }

    package static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

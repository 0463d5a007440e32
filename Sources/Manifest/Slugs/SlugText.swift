/// Derives the readable part of a slug from a name.
enum SlugText {
    /// The maximum length of a slug in bytes. It fits file names, and still reads well in an address.
    static let maximumLength = 80

    /// The names that Windows reserves for its devices, with any extension, and the page that a folder's address leads
    /// to.
    private static let reserved: Set<String> = {
        let numbered = (0...9).flatMap { ["com\($0)", "lpt\($0)"] }
        return Set(["con", "prn", "aux", "nul", "index"] + numbered)
    }()

    /// The name in lower-case ASCII letters, digits and single hyphens between them; empty if it contains no usable
    /// character.
    ///
    /// - Parameter kind: the prefix of a name that must not stand alone ("photo-con").
    static func make(from name: String, kind: String, maximumLength: Int) -> String {
        var slug: [UInt8] = []
        var isGap = false
        for scalar in name.unicodeScalars {
            guard slug.count < maximumLength else { break }
            switch scalar.value {
            case 0x27, 0x2019, 0x0300...0x036F:
                // An apostrophe or a combining mark does not separate words.
                break
            default:
                let letters = ascii(scalar)
                if let letters, !letters.isEmpty {
                    if isGap, !slug.isEmpty { slug.append(UInt8(ascii: "-")) }
                    slug += letters
                    isGap = false
                } else if letters == nil {
                    isGap = true
                }
            }
        }
        let text = cut(slug, to: maximumLength)
        return reserved.contains(text) ? "\(kind)-\(text)" : text
    }

    /// Whether `text` is a slug that may name a file. A text from a ledger need not be one.
    static func isValid(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count) && !reserved.contains(text)
            && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
            && text.utf8.first != UInt8(ascii: "-") && text.utf8.last != UInt8(ascii: "-")
    }

    /// The first `length` bytes, without hyphens at the end.
    static func cut(_ slug: [UInt8], to length: Int) -> String {
        var slug = slug.prefix(length)
        while slug.last == UInt8(ascii: "-") { slug.removeLast() }
        return String(decoding: slug, as: UTF8.self)
    }

    /// The ASCII of a letter or a digit; nil for any other character, and empty for letters without a sound.
    private static func ascii(_ scalar: Unicode.Scalar) -> [UInt8]? {
        var value = scalar.value
        // Japanese and Chinese input methods write full-width forms.
        if (0xFF01...0xFF5E).contains(value) { value -= 0xFEE0 }
        if value < 0x80 {
            let lower = (0x41...0x5A).contains(value) ? UInt8(value) | 0x20 : UInt8(value)
            return isPlain(lower) ? [lower] : nil
        }
        if let letters = Transliteration.ascii(for: scalar) { return letters }
        var result: [UInt8] = []
        var isLetter = false
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            if lower.isASCII, isPlain(UInt8(lower.value)) {
                result.append(UInt8(lower.value))
                isLetter = true
            } else if let letters = Transliteration.ascii(for: lower) {
                result += letters
                isLetter = true
            }
        }
        return isLetter ? result : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

internal import PhotoModel

/// The format of a file, according to its first bytes and not to its name.
enum SniffedFormat: Hashable, Sendable {
    case picture(OriginalFormat)
    /// A picture in a format that is not read, with the name of that format.
    case otherPicture(String)
    case notAPicture(ContentKind)

    /// The number of bytes at the start of a file that are inspected.
    static let inspectedBytes = 1024

    init(start: [UInt8]) {
        self =
            Self.readableFormat(start) ?? Self.otherFormat(start) ?? Self.document(start)
            ?? .notAPicture(.unknown)
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func readableFormat(_ start: [UInt8]) -> SniffedFormat? {
        if start.starts(with: [0xFF, 0xD8]), start.count == 2 || start[2] == 0xFF { return .picture(.jpeg) }
        if start.starts(with: pngSignature) {
            // Xcode's variant of PNG puts a chunk of its own before the header, and swaps and premultiplies colours.
            return start.dropFirst(12).starts(with: "CgBI".utf8)
                ? .otherPicture("PNG as Apple's tools rewrite it (CgBI)") : .picture(.png)
        }
        // The file can be cut off within its first eight bytes.
        if start.count >= 4, pngSignature.starts(with: start) { return .picture(.png) }
        return nil
    }

    private static func otherFormat(_ start: [UInt8]) -> SniffedFormat? {
        func has(_ text: String, at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
        if has("GIF87a") || has("GIF89a") { return .picture(.gif) }
        if has("RIFF"), has("WEBP", at: 8) { return .picture(.webp) }
        if has("BM"), start.count >= 26, start[6..<10].allSatisfy({ $0 == 0 }) { return .otherPicture("BMP") }
        if start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A])
            || start.starts(with: [0x49, 0x49, 0x2B, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2B])
        {
            return .otherPicture("TIFF")
        }
        if start.starts(with: [0, 0, 0, 0x0C]), has("jP  ", at: 4) { return .otherPicture("JPEG 2000") }
        if start.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return .otherPicture("JPEG 2000") }
        if start.starts(with: [0, 0, 0, 0x0C]), has("JXL ", at: 4) { return .otherPicture("JPEG XL") }
        if start.starts(with: [0xFF, 0x0A]) { return .otherPicture("JPEG XL") }
        if start.starts(with: [0, 0, 1, 0]), start.count >= 22 { return .otherPicture("ICO") }
        if has("ftyp", at: 4) { return isoMedia(start) }
        return nil
    }

    /// The format of a file in the ISO base media format (ISO/IEC 14496-12), whose first box states the format as
    /// brands.
    private static func isoMedia(_ start: [UInt8]) -> SniffedFormat {
        let length = start.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let box = start.prefix(min(max(length, 16), start.count)).dropFirst(8)
        let brands = stride(from: box.startIndex, to: box.endIndex - 3, by: 4).map {
            String(decoding: box[$0..<$0 + 4], as: UTF8.self)
        }
        if brands.contains(where: { ["avif", "avis"].contains($0) }) { return .otherPicture("AVIF") }
        if brands.contains(where: { ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].contains($0) }) {
            return .otherPicture("HEIC")
        }
        if brands.contains("crx ") { return .otherPicture("CR3") }
        return .notAPicture(.video)
    }

    private static func document(_ start: [UInt8]) -> SniffedFormat? {
        if start.isEmpty { return .notAPicture(.empty) }
        if start.starts(with: "%PDF-".utf8) { return .notAPicture(.pdf) }
        let compressed: [[UInt8]] = [
            [0x1F, 0x8B], [0x50, 0x4B, 3, 4], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A],
            [0x28, 0xB5, 0x2F, 0xFD],
        ]
        if compressed.contains(where: { start.starts(with: $0) }) { return .notAPicture(.compressed) }
        return (utf16(start) ?? text(start)).map(markup)
    }

    /// The kind of a text.
    private static func markup(_ text: String) -> SniffedFormat {
        let body = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
        if body.contains("<svg"), body.hasPrefix("<") { return .otherPicture("SVG") }
        if isWebPage(body) { return .notAPicture(.webPage) }
        if body.hasPrefix("<?xml") || body.hasPrefix("<!") || body.hasPrefix("<") {
            return .notAPicture(.xml)
        }
        if body.hasPrefix("{") || body.hasPrefix("[") { return .notAPicture(.json) }
        return .notAPicture(.text)
    }

    /// Whether a text is a web page, which starts with one of the tags of the WHATWG's MIME Sniffing Standard (§7.1).
    ///
    /// - Parameter body: the text in lower case, without leading white space.
    private static func isWebPage(_ body: String) -> Bool {
        guard body.hasPrefix("<") else { return false }
        if body.hasPrefix("<!--") || body.contains("<html") { return true }
        return pageTags.contains { tag in
            body.hasPrefix(tag) && body.dropFirst(tag.count).first.map { $0 == ">" || $0.isWhitespace } ?? true
        }
    }

    private static let pageTags = [
        "<!doctype html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style", "<title",
        "<b", "<body", "<br", "<p",
    ]

    /// The bytes as text, if they start with a byte order mark of UTF-16 and are valid UTF-16 without control
    /// characters other than white space and escape.
    private static func utf16(_ start: [UInt8]) -> String? {
        let isLittle = start.starts(with: [0xFF, 0xFE])
        guard isLittle || start.starts(with: [0xFE, 0xFF]) else { return nil }
        var units = stride(from: 2, to: start.count - 1, by: 2).map { offset in
            let (low, high) = isLittle ? (start[offset], start[offset + 1]) : (start[offset + 1], start[offset])
            return UInt16(high) << 8 | UInt16(low)
        }
        // The last character can be cut in half.
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        return text.unicodeScalars.contains(where: { isControl($0.value) }) ? nil : text
    }

    private static func isControl(_ code: UInt32) -> Bool {
        code < 0x20 && !(0x09...0x0D).contains(code) && code != 0x1B
    }

    /// The bytes as text, if they are UTF-8 without control characters other than white space and escape.
    private static func text(_ start: [UInt8]) -> String? {
        guard !start.contains(where: { isControl(UInt32($0)) }) else { return nil }
        // The last character can be cut by the end of the bytes that were read.
        for cut in 0...min(3, start.count - 1) {
            if let text = String(validating: start.dropLast(cut), as: UTF8.self) { return text }
            if start.count < inspectedBytes { return nil }
        }
        return nil
    }
}

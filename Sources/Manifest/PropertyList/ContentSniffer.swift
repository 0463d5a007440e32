/// Recognises files other than XML by their first bytes.
struct ContentSniffer {
    /// The number of bytes that are examined. A comment can precede the first brace.
    private static let inspectedBytes = 4096

    private static let magics: [(bytes: [UInt8], content: UnexpectedContent)] = [
        ([0xFF, 0xD8, 0xFF], .picture("a JPEG picture")),
        ([0x89, 0x50, 0x4E, 0x47], .picture("a PNG picture")),
        (Array("GIF8".utf8), .picture("a GIF picture")),
        ([0x49, 0x49, 0x2A, 0x00], .picture("a TIFF picture")),
        ([0x4D, 0x4D, 0x00, 0x2A], .picture("a TIFF picture")),
        (Array("RIFF".utf8), .picture("a WebP picture or other RIFF file")),
        (Array("%PDF".utf8), .file("a PDF document")),
        ([0x1F, 0x8B], .file("a gzip archive; unpack it")),
        ([0x50, 0x4B, 0x03, 0x04], .file("a zip archive; unpack it")),
    ]
    /// The first bytes of XML in EBCDIC: "<?xm".
    private static let ebcdic: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94]

    let origin: ManifestOrigin

    /// Throws an error for a manifest that does not begin like XML. Anything else is left to the XML parser.
    func check(_ bytes: [UInt8]) throws(ManifestError) {
        let start = TextPosition(file: origin.shown, line: 1, column: 1)
        let text = Self.withoutByteOrderMark(bytes)
        guard let first = text.firstIndex(where: { !WhiteSpace.contains($0) }) else {
            let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
            throw .empty(TextPosition(file: origin.shown, line: lines, column: 1))
        }
        if bytes.starts(with: "bplist".utf8) { throw .otherPropertyList(.binary, origin, start) }
        if let magic = Self.magics.first(where: { bytes.starts(with: $0.bytes) }) {
            throw .notAPropertyList(magic.content, origin, start)
        }
        if let format = Self.textFormat(text[first...].prefix(Self.inspectedBytes)) {
            throw .otherPropertyList(format, origin, start)
        }
        if Self.isPlainText(text[first...].prefix(Self.inspectedBytes)) {
            throw .notAPropertyList(.text, origin, start)
        }
    }

    /// Whether the file begins like a web page. Many web pages are not well-formed XML.
    static func isWebPage(_ bytes: [UInt8]) -> Bool {
        let text = withoutByteOrderMark(bytes).drop(while: WhiteSpace.contains)
        let beginning = String(decoding: text.prefix(15), as: UTF8.self).lowercased()
        return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
    }

    /// Whether the file can't be XML in any encoding.
    private static func isPlainText(_ text: ArraySlice<UInt8>) -> Bool {
        text.first != UInt8(ascii: "<") && !text.contains(0) && !text.starts(with: ebcdic)
            && !text.starts(with: "+ADw".utf8)
    }

    private static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        return bytes.dropFirst(marks.first { bytes.starts(with: $0) }?.count ?? 0)
    }

    /// The format of JSON or OpenStep text, which differ in what follows the first key; nil if the text is neither.
    private static func textFormat(_ text: ArraySlice<UInt8>) -> PropertyListFormat? {
        let rest = withoutComments(text)
        switch rest.first {
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "("): return .openStep
        case UInt8(ascii: "{"), UInt8(ascii: "\""):
            var isQuoted = false
            var isEscaped = false
            for byte in rest {
                switch byte {
                case _ where isEscaped: isEscaped = false
                case UInt8(ascii: "\\"): isEscaped = true
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: ";") where rest.first != UInt8(ascii: "{"): if !isQuoted { return nil }
                case UInt8(ascii: "="), UInt8(ascii: ";"): if !isQuoted { return .openStep }
                case UInt8(ascii: ":"): if !isQuoted { return .json }
                // A comma or a line break outside quotes is from the header of a CSV file.
                case UInt8(ascii: ","), UInt8(ascii: "\n"): if !isQuoted, rest.first != UInt8(ascii: "{") { return nil }
                default: break
                }
            }
            return .json
        default: return rest.count < text.count ? .openStep : nil
        }
    }

    /// - Returns: the text after the comments and the white space at its beginning.
    private static func withoutComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text.drop(while: WhiteSpace.contains)
        while true {
            if rest.starts(with: "//".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if rest.starts(with: "/*".utf8) {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else {
                return rest
            }
            rest = rest.drop(while: WhiteSpace.contains)
        }
    }
}

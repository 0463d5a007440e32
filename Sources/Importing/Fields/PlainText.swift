internal import Manifest

/// Converts the texts of a source to a form that a list can contain.
enum PlainText {
    /// The text on one line, without characters that XML does not allow (XML 1.0 §2.2), and cut to `length` characters;
    /// nil if nothing is left.
    static func shortened(_ text: String, to length: Int) -> String? {
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard let shown = visible(scalar) else { continue }
            guard count < length else {
                kept.append("…")
                break
            }
            kept.append(shown)
            count += 1
        }
        let line = WhiteSpace.collapsed(String(kept))
        return line.isEmpty ? nil : line
    }

    /// The text without characters that XML does not allow.
    static func allowed(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { visible($0) == nil }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { visible($0) != nil }))
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x85, 0x2028, 0x2029: " "
        case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: scalar
        default: nil
        }
    }

    /// The text of a field that can contain plain text or HTML. "<" begins markup only if a complete tag of a common
    /// element follows, so that "Jane Doe <jane@example.org>" stays as it is.
    static func ofField(_ field: String) -> String {
        guard field.utf8.contains(UInt8(ascii: "<")) else { return ofHTML(field) }
        return ofHTML(
            field.split(separator: "<", omittingEmptySubsequences: false).enumerated().map { index, part in
                index == 0 ? String(part) : (beginsMarkup(part) ? "<" : "&lt;") + part
            }.joined())
    }

    private static let elements: Set<String> = [
        "a", "abbr", "address", "article", "b", "bdi", "big", "blockquote", "br", "center", "cite", "code", "dd", "del",
        "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "i", "iframe", "img", "ins", "kbd", "li", "mark", "ol", "p", "picture", "pre", "q",
        "s", "samp", "script", "section", "small", "source", "span", "strike", "strong", "style", "sub", "summary",
        "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var", "video", "wbr",
    ]

    /// Whether a text that follows "<" is the rest of a tag or comment, and what comes after it.
    private static func beginsMarkup(_ text: Substring) -> Bool {
        if text.hasPrefix("!--") { return text.contains("-->") }
        let tag = text.hasPrefix("/") ? text.dropFirst() : text
        guard let end = tag.firstIndex(where: { !$0.isASCII || !($0.isLetter || $0.isNumber) }) else { return false }
        guard tag[end] == ">" || tag[end] == "/" || tag[end].isWhitespace else { return false }
        return tag[end...].contains(">") && elements.contains(tag[..<end].lowercased())
    }

    /// The text of a piece of HTML, on one line.
    static func ofHTML(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
        let collector = TextCollector()
        // Markup is read until it exceeds a limit, and the text before that point is returned.
        try? MarkupParser.parseHTML(Array(html.utf8), into: collector)
        return WhiteSpace.collapsed(collector.text)
    }
}

/// Collects the text of HTML, without that of scripts and style sheets.
private final class TextCollector: MarkupHandler {
    private var bytes: [UInt8] = []
    private var hidden = 0

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The elements whose begin and end are white space in the text. A line break makes one space of several.
    private static let blocks: Set<String> = ["p", "br", "div", "li", "h1", "h2", "h3", "h4", "tr", "td", "figcaption"]

    func start(_ name: String, _ attributes: [String: String], line: Int) {
        if name == "script" || name == "style" { hidden += 1 }
        if Self.blocks.contains(name) { bytes.append(UInt8(ascii: "\n")) }
    }

    func end(_ name: String) {
        if name == "script" || name == "style" { hidden -= 1 }
        if Self.blocks.contains(name) { bytes.append(UInt8(ascii: "\n")) }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        if hidden == 0, bytes.count < ImportLimits.fieldLength { bytes.append(contentsOf: text) }
    }
}

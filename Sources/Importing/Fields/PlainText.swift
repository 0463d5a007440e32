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

    private static let blocks: Set<String> = ["p", "br", "div", "li", "h1", "h2", "h3", "h4", "tr", "td", "figcaption"]

    func start(_ name: String, _ attributes: [String: String], line: Int) {
        if name == "script" || name == "style" { hidden += 1 }
        if Self.blocks.contains(name) { bytes.append(UInt8(ascii: " ")) }
    }

    func end(_ name: String) {
        if name == "script" || name == "style" { hidden -= 1 }
        if Self.blocks.contains(name) { bytes.append(UInt8(ascii: " ")) }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        if hidden == 0, bytes.count < ImportLimits.fieldLength { bytes.append(contentsOf: text) }
    }
}

internal import Manifest

/// Converts the texts of a source to a form that a list can contain.
enum PlainText {
    /// The text on one line, without characters that XML does not allow (XML 1.0 §2.2), and cut to `length` characters;
    /// nil if nothing is left. No more than eight times `length` characters are read, because many photos can share a
    /// text.
    static func shortened(_ text: String, to length: Int) -> String? {
        let line = WhiteSpace.collapsed(cut(text, to: length, keepsLines: false))
        return line.isEmpty ? nil : line
    }

    /// The text as in `shortened`, but with its lines, which are not indented. There is one empty line for several, and
    /// none at the ends.
    static func shortenedLines(_ text: String, to length: Int) -> String? {
        var lines: [String] = []
        for line in cut(text, to: length, keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false) {
            let line = WhiteSpace.trimmed(String(line))
            if !line.isEmpty || lines.last?.isEmpty == false { lines.append(line) }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// - Parameter keepsLines: whether each line break becomes a line feed. Otherwise its characters become spaces.
    private static func cut(_ text: String, to length: Int, keepsLines: Bool) -> String {
        var kept = String.UnicodeScalarView()
        var count = 0
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars.prefix(8 * length) {
            defer { previous = scalar }
            let isLineBreak = keepsLines && lineBreaks.contains(scalar)
            if isLineBreak, scalar == "\n", previous == "\r" { continue }
            guard let shown = isLineBreak ? "\n" : visible(scalar) else { continue }
            guard count < length else {
                kept.append("…")
                break
            }
            kept.append(shown)
            count += 1
        }
        return String(kept)
    }

    private static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

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

    /// The text of a field that can contain plain text or HTML. "<" begins markup only if a complete comment, a
    /// declaration or a complete tag of a known element follows, so that "Jane Doe <jane@example.org>" stays as it is.
    /// - Parameter keepsLines: whether line breaks of plain text stay.
    static func ofField(_ field: String, keepsLines: Bool = false) -> String {
        let html = html(ofField: field[...])
        return keepsLines && !html.utf8.contains(UInt8(ascii: "<")) ? visibleText(of: html) : ofHTML(html)
    }

    /// The field as HTML, without comments and declarations. Each "<" that begins no tag is escaped.
    private static func html(ofField field: Substring) -> String {
        guard let lastClose = field.lastIndex(of: ">") else { return String(field.replacing("<", with: "&lt;")) }
        let lastCommentEnd = field.ranges(of: "-->").last?.lowerBound ?? field.startIndex
        let lastSectionEnd = field.ranges(of: "]]>").last?.lowerBound ?? field.startIndex
        var html = ""
        var rest = field
        while let start = rest.firstIndex(of: "<") {
            html += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix("<!--"), start < lastCommentEnd, let end = rest.firstRange(of: "-->") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix(section), start < lastSectionEnd, let end = rest.firstRange(of: "]]>") {
                // The text contains no end of a section, so this goes no deeper.
                html += Self.html(ofField: rest[..<end.lowerBound].dropFirst(section.count))
                rest = rest[end.upperBound...]
            } else if start < lastClose, beginsDeclaration(rest), let end = rest.firstIndex(of: ">") {
                rest = rest[end...].dropFirst()
            } else {
                rest = rest.dropFirst()
                html += beginsTag(rest, closedBefore: lastClose) ? "<" : "&lt;"
            }
        }
        return html + rest
    }

    /// The begin of text that contains no markup in XML, and often HTML in feeds.
    private static let section = "<![CDATA["

    /// The begins of declarations in lower case: those of documents, and the conditions of word processors.
    private static let declarations = ["<!doctype", "<?xml", "<![if ", "<![endif]"]

    private static func beginsDeclaration(_ text: Substring) -> Bool {
        guard text.hasPrefix("<!") || text.hasPrefix("<?") else { return false }
        let begin = text.prefix(10).lowercased()
        return declarations.contains { begin.hasPrefix($0) }
    }

    /// The prefixes of the elements of word processors, such as "o:p".
    private static let prefixes: Set<Substring> = ["o", "w", "v", "m", "x", "st1"]

    /// The elements of HTML, and some that were in use before HTML 5.
    private static let elements = Set(
        """
        a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button canvas \
        caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed \
        fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i \
        iframe img input ins kbd label legend li link main map mark menu meta meter nav nobr noscript object ol \
        optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot \
        small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead \
        time title tr track tt u ul var video wbr
        """.split(separator: " "))

    /// Whether a text that follows "<" is the rest of a tag, and what comes after it.
    /// - Parameter end: the index of the last ">" of the whole text.
    private static func beginsTag(_ text: Substring, closedBefore end: String.Index) -> Bool {
        let tag = text.hasPrefix("/") ? text.dropFirst() : text
        let name = tag.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ":") }
        guard name.endIndex <= end, name.endIndex < tag.endIndex else { return false }
        let next = tag[name.endIndex]
        guard next == ">" || next == "/" || next.isWhitespace else { return false }
        let lowercased = name.lowercased()
        guard let colon = lowercased.firstIndex(of: ":") else { return elements.contains(lowercased[...]) }
        let local = lowercased[colon...].dropFirst()
        return prefixes.contains(lowercased[..<colon]) && !local.isEmpty && !local.contains(":")
    }

    /// The text of a piece of HTML, on one line.
    static func ofHTML(_ html: String) -> String { WhiteSpace.collapsed(visibleText(of: html)) }

    private static func visibleText(of html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
        let collector = TextCollector()
        // Markup is read until it exceeds a limit, and the text before that point is returned.
        try? MarkupParser.parseHTML(Array(html.utf8), into: collector)
        return collector.text
    }
}

/// Collects the visible text of HTML, without that of scripts, style sheets and elements that are not displayed.
private final class TextCollector: MarkupHandler {
    private var bytes: [UInt8] = []
    /// How many elements are open, counted from the outermost hidden one; 0 if the text is visible.
    private var hiddenDepth = 0

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The elements whose begin and end are white space in the text. A line break makes one space of several.
    private static let blocks: Set<String> = ["p", "br", "div", "li", "h1", "h2", "h3", "h4", "tr", "td", "figcaption"]

    func start(_ name: String, _ attributes: [String: String], line: Int) {
        if hiddenDepth > 0 || Self.isHidden(name, attributes) {
            hiddenDepth += 1
        } else if Self.blocks.contains(name) {
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    func end(_ name: String) {
        if hiddenDepth > 0 {
            hiddenDepth -= 1
        } else if Self.blocks.contains(name) {
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// The elements that contain nothing, but that libxml2 ends with those around them.
    private static let empty: Set<String> = ["wbr", "embed", "source", "track"]

    private static func isHidden(_ name: String, _ attributes: [String: String]) -> Bool {
        if name == "script" || name == "style" { return true }
        guard !empty.contains(name) else { return false }
        if attributes["hidden"] != nil { return true }
        let declarations = (attributes["style"] ?? "").lowercased().filter { !$0.isWhitespace }.split(separator: ";")
        let display = declarations.last { $0.hasPrefix("display:") }
        return display == "display:none" || display == "display:none!important"
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        if hiddenDepth == 0, bytes.count < ImportLimits.fieldLength { bytes.append(contentsOf: text) }
    }
}

/// Parses Mustache: variables, sections, inverted sections, comments, partials, and parents with blocks, as mustache(5)
/// and its optional specification of inheritance define them.
///
/// Two parts of Mustache are rejected: unescaped variables, because every value is escaped, and tags that change the
/// delimiters. Lambdas and dynamic names are not supported.
struct TemplateParser {
    private let file: String
    private let bytes: [UInt8]
    private var index = 0
    private var line: Int

    /// - Parameters:
    ///   - file: the name of the file for errors: "card.mustache".
    ///   - firstLine: the line of the file in which the text begins.
    /// - Throws: `SiteError.template` at the first syntax error.
    static func parse(_ text: String, file: String, firstLine: Int = 1) throws(SiteError) -> Template {
        var parser = TemplateParser(file: file, bytes: Array(text.utf8), line: firstLine)
        return Template(file: file, nodes: try parser.nodes(inside: nil))
    }

    private init(file: String, bytes: [UInt8], line: Int) {
        self.file = file
        self.bytes = bytes
        self.line = line
    }

    /// A tag between double braces.
    private struct Tag {
        enum Kind { case variable, section, inverted, close, comment, partial, parent, block }

        let kind: Kind
        let name: String
        let line: Int
        /// The white space before a standalone tag, which is alone on its lines; nil for a tag with text on its lines.
        let indentation: [UInt8]?
    }

    /// - Parameter opening: the tag whose closing tag ends these nodes; nil for the whole file.
    private mutating func nodes(inside opening: Tag?) throws(SiteError) -> [Template.Node] {
        var nodes: [Template.Node] = []
        while let tag = try nextTag(&nodes) {
            switch tag.kind {
            case .close:
                guard tag.name == opening?.name else {
                    throw error(tag.line, "this does not close the section that is open")
                }
                return nodes
            case .comment:
                break
            case .variable:
                nodes.append(.variable(TemplateName(tag.name, line: tag.line)))
            case .section:
                nodes.append(.section(TemplateName(tag.name, line: tag.line), try self.nodes(inside: tag)))
            case .inverted:
                nodes.append(.inverted(TemplateName(tag.name, line: tag.line), try self.nodes(inside: tag)))
            case .partial:
                nodes.append(.partial(inclusion(tag)))
            case .parent:
                nodes.append(.parent(inclusion(tag), blocks: try blocks(inside: tag)))
            case .block:
                nodes.append(.block(Template.Block(name: tag.name, nodes: try self.nodes(inside: tag), line: tag.line)))
            }
        }
        if let opening { throw error(line, "a section is not closed: \(opening.name), opened in line \(opening.line)") }
        return nodes
    }

    private func inclusion(_ tag: Tag) -> Template.Inclusion {
        Template.Inclusion(name: tag.name, indentation: tag.indentation ?? [], line: tag.line)
    }

    /// The blocks of a parent. Text between them is ignored, as Mustache defines it.
    private mutating func blocks(inside parent: Tag) throws(SiteError) -> [Template.Block] {
        var blocks: [Template.Block] = []
        for node in try nodes(inside: parent) {
            switch node {
            case .block(let block): blocks.append(block)
            case .literal: break
            default:
                throw error(
                    parent.line, "only blocks ({{$name}}…{{/name}}) may stand between {{<parent}} and {{/parent}}")
            }
        }
        return blocks
    }

    /// Reads up to the end of the next tag and appends the text before the tag to `nodes`.
    private mutating func nextTag(_ nodes: inout [Template.Node]) throws(SiteError) -> Tag? {
        let start = index
        while index < bytes.count, !isOpening(at: index) {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            if Self.isForbidden(bytes[index]) {
                let code = String(bytes[index], radix: 16, uppercase: true)
                let digits = String(repeating: "0", count: 4 - code.count) + code
                throw error(line, "the control character U+\(digits) is not allowed")
            }
            index += 1
        }
        let opening = index
        guard index < bytes.count else {
            append(start..<opening, to: &nodes)
            return nil
        }
        let tagLine = line
        let (kind, name) = try tagContent()
        guard kind != .variable, let lines = surroundingLines(opening..<index) else {
            append(start..<opening, to: &nodes)
            return Tag(kind: kind, name: name, line: tagLine, indentation: nil)
        }
        append(start..<lines.lowerBound, to: &nodes)
        index = lines.upperBound
        if bytes[index - 1] == UInt8(ascii: "\n") { line += 1 }
        return Tag(kind: kind, name: name, line: tagLine, indentation: Array(bytes[lines.lowerBound..<opening]))
    }

    /// Reads a tag from its opening braces to its closing braces.
    private mutating func tagContent() throws(SiteError) -> (Tag.Kind, name: String) {
        let tagLine = line
        let start = index + 2
        var end = start
        while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "}") || bytes[end + 1] != UInt8(ascii: "}") {
            if bytes[end] == UInt8(ascii: "\n") { line += 1 }
            end += 1
        }
        guard end + 1 < bytes.count else { throw error(tagLine, "a tag is not closed") }
        index = end + 2
        let content = bytes[start..<end]
        let kind: Tag.Kind
        switch content.first {
        case UInt8(ascii: "!"): return (.comment, "")
        case UInt8(ascii: "#"): kind = .section
        case UInt8(ascii: "^"): kind = .inverted
        case UInt8(ascii: "/"): kind = .close
        case UInt8(ascii: ">"): kind = .partial
        case UInt8(ascii: "<"): kind = .parent
        case UInt8(ascii: "$"): kind = .block
        case UInt8(ascii: "&"), UInt8(ascii: "{"):
            throw error(tagLine, "values are always escaped: write {{name}}, not {{{name}}} or {{&name}}")
        case UInt8(ascii: "="), UInt8(ascii: "%"):
            throw error(tagLine, "tags that change delimiters or options are not supported")
        default: kind = .variable
        }
        guard let name = Self.name(kind == .variable ? content : content.dropFirst()) else {
            throw error(tagLine, "this tag is malformed: {{\(String(decoding: content, as: UTF8.self))}}")
        }
        return (kind, name)
    }

    /// The name in a tag, without the white space around it. It is read as bytes, because each start of the program
    /// parses about a thousand tags.
    /// - Returns: nil if the name is empty or contains white space.
    private static func name(_ content: ArraySlice<UInt8>) -> String? {
        // Other white space, such as a no-break space, is not ASCII.
        guard content.allSatisfy({ $0 < 0x80 }) else {
            let name = String(decoding: content, as: UTF8.self).trimmed
            return name.isEmpty || name.contains(where: \.isWhitespace) ? nil : name
        }
        func isWhiteSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
        guard let first = content.firstIndex(where: { !isWhiteSpace($0) }),
            let last = content.lastIndex(where: { !isWhiteSpace($0) })
        else { return nil }
        let bytes = content[first...last]
        return bytes.contains(where: isWhiteSpace) ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of a standalone tag, including the last line break. They are removed, so that the tag leaves no empty
    /// line.
    /// - Returns: nil if anything but white space is before or after the tag.
    private func surroundingLines(_ tag: Range<Int>) -> Range<Int>? {
        var start = tag.lowerBound
        while start > 0, Self.isSpace(bytes[start - 1]) { start -= 1 }
        guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
        var end = tag.upperBound
        while end < bytes.count, Self.isSpace(bytes[end]) || bytes[end] == UInt8(ascii: "\r") { end += 1 }
        guard end < bytes.count else { return start..<end }
        return bytes[end] == UInt8(ascii: "\n") ? start..<(end + 1) : nil
    }

    private func append(_ range: Range<Int>, to nodes: inout [Template.Node]) {
        if !range.isEmpty { nodes.append(.literal(Array(bytes[range]))) }
    }

    private func isOpening(at index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "{") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Whether a byte is a control character that neither HTML nor XML 1.0 (§2.2) allows.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains(byte)
    }

    private func error(_ line: Int, _ message: String) -> SiteError {
        .template(file: file, line: line, message: message)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

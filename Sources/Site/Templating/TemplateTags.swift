/// A tag of a template: "{{#photos}}".
struct TemplateTag: Hashable {
    enum Kind: Hashable {
        case variable, section, inverted, close, partial, parent, block
        /// `{{{name}}}` and `{{&name}}`.
        case unescaped
        /// `{{=<% %>=}}` and `{{%…}}`.
        case setting
    }

    let kind: Kind
    let name: String
    /// Counts from 1.
    let line: Int

    /// The same tag in another line.
    func moved(to line: Int) -> TemplateTag { TemplateTag(kind: kind, name: name, line: line) }
}

/// Finds the tags of a template of which it is known that Mustache can parse it.
struct TemplateTags {
    static func scan(_ text: String) -> [TemplateTag] {
        var tags: [TemplateTag] = []
        let bytes = Array(text.utf8)
        var line = 1
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") else {
                if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                index += 1
                continue
            }
            let start = index + 2
            var end = start
            while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "}") || bytes[end + 1] != UInt8(ascii: "}") {
                end += 1
            }
            if let tag = tag(String(decoding: bytes[start..<end], as: UTF8.self), line: line) { tags.append(tag) }
            line += bytes[start..<end].count { $0 == UInt8(ascii: "\n") }
            index = end + 2
        }
        return tags
    }

    /// - Returns: nil for a comment.
    private static func tag(_ content: String, line: Int) -> TemplateTag? {
        let kind: TemplateTag.Kind? =
            switch content.first {
            case "!": nil
            case "#": .section
            case "^": .inverted
            case "/": .close
            case ">": .partial
            case "<": .parent
            case "$": .block
            case "&", "{": .unescaped
            case "=", "%": .setting
            default: .variable
            }
        guard let kind else { return nil }
        let name = kind == .variable ? content[...] : content.dropFirst()
        return TemplateTag(kind: kind, name: name.trimmed, line: line)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

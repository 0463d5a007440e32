/// A parsed template file.
struct Template: Sendable {
    /// A node of the syntax tree. Lines are those of the template's file, counted from 1.
    enum Node: Sendable {
        /// Bytes that are copied to the output.
        case literal([UInt8])
        /// `{{name}}`
        case variable(TemplateName)
        /// `{{#name}}…{{/name}}`
        case section(TemplateName, [Node])
        /// `{{^name}}…{{/name}}`
        case inverted(TemplateName, [Node])
        /// `{{>file}}`
        case partial(Inclusion)
        /// `{{<file}}{{$block}}…{{/block}}{{/file}}`
        case parent(Inclusion, blocks: [Block])
        /// `{{$block}}…{{/block}}` outside of a parent: content that templates built on this one can replace.
        case block(Block)
    }

    /// The inclusion of another template.
    struct Inclusion: Sendable {
        let name: String
        /// The white space before a standalone tag, which precedes every line of the included template.
        let indentation: [UInt8]
        let line: Int
    }

    /// A named part of a template that can be replaced, or the replacement of one.
    final class Block: Sendable {
        let name: String
        let nodes: [Node]
        let line: Int

        init(name: String, nodes: [Node], line: Int) {
            self.name = name
            self.nodes = nodes
            self.line = line
        }
    }

    /// The file's name: "card.mustache".
    let file: String
    let nodes: [Node]

    /// The names of all templates that this one includes directly.
    var inclusions: Set<String> {
        var names: Set<String> = []
        for node in Self.all(nodes) {
            switch node {
            case .partial(let inclusion), .parent(let inclusion, _): names.insert(inclusion.name)
            case .literal, .variable, .section, .inverted, .block: break
            }
        }
        return names
    }

    /// The nodes and all their descendants.
    static func all(_ nodes: [Node]) -> [Node] {
        nodes.flatMap { node in
            switch node {
            case .literal, .variable, .partial: [node]
            case .section(_, let inside), .inverted(_, let inside): [node] + all(inside)
            case .parent(_, let blocks): [node] + blocks.flatMap { all($0.nodes) }
            case .block(let block): [node] + all(block.nodes)
            }
        }
    }
}

/// The name in a tag, such as "photo.name" or ".".
struct TemplateName: Sendable {
    let text: String
    /// The name, split at its points: "photo", "name". The name "." has itself as its only part.
    let parts: [String]
    let line: Int

    init(_ text: String, line: Int) {
        self.text = text
        self.line = line
        let isPoint = text == TemplateText.implicitIterator
        parts = isPoint ? [text] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}

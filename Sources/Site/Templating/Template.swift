/// One parsed template file.
struct Template: Sendable {
    /// What a template consists of. Lines count from 1 and are those of the template's file.
    enum Node: Sendable {
        /// Bytes that are copied as they are.
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
        /// `{{$block}}…{{/block}}` outside of a parent: a place that templates built on this one can fill.
        case block(Block)
    }

    /// Another template at this place.
    struct Inclusion: Sendable {
        let name: String
        /// The space before a tag that has a line to itself; every line of the other template begins with it.
        let indentation: [UInt8]
        let line: Int
    }

    struct Block: Sendable {
        let name: String
        let nodes: [Node]
        let line: Int
    }

    /// The file's name: "card.mustache".
    let file: String
    let nodes: [Node]

    /// The names of all templates that tags of this one include, without those that these include in turn.
    var inclusions: Set<String> {
        var names: Set<String> = []
        for case .partial(let inclusion) in Self.all(nodes) { names.insert(inclusion.name) }
        return names
    }

    /// The nodes and all nodes inside them.
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
    /// The name and the names of the parts: "photo", "name". `{{.}}` has one part, the point.
    let parts: [String]
    /// The number of each part in `TemplateNames`; no context has a value for a part without a number.
    let numbers: [Int?]
    let line: Int

    init(_ text: String, line: Int) {
        self.text = text
        self.line = line
        let isPoint = text == TemplateText.itself
        parts = isPoint ? [text] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        numbers = parts.map { TemplateNames.shared.numbers[$0] }
    }
}

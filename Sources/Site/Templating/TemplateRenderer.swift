/// Renders parsed templates.
///
/// The templates have passed `TemplateCheck`: each name exists in the scope in which it is used, and no template
/// includes itself endlessly.
struct TemplateRenderer: Sendable {
    /// The templates, by the name under which others include them: "card".
    private let templates: [String: Template]

    init(templates: [String: Template]) { self.templates = templates }

    /// - Parameters:
    ///   - name: a name in `TemplateSet.pages`.
    ///   - context: a value of the type that `TemplateSet.pages` has for that name.
    /// - Returns: the rendered text as UTF-8.
    func render(_ name: String, _ context: some TemplateContext) -> [UInt8] {
        var rendering = Rendering(templates: templates, context: context)
        rendering.render(templates[name]?.nodes ?? [])
        return rendering.output
    }
}

/// The state of rendering one page.
private struct Rendering {
    private let templates: [String: Template]
    private(set) var output: [UInt8] = []
    /// The contexts in which names are looked up, outermost first.
    private var contexts: [any TemplateContext]
    /// For each of these contexts, the index of every name in its vocabulary.
    private var indices: [[Int?]]
    private let names = TemplateNames.shared
    /// The nodes that replace the default content of blocks, by block name.
    private var overrides: [String: [Template.Node]] = [:]
    /// The white space that precedes each line of the current template.
    private var indentation: [UInt8] = []
    /// Whether the next byte is the first one of a line of the template.
    private var isAtLineStart = false

    init(templates: [String: Template], context: any TemplateContext) {
        self.templates = templates
        contexts = [context]
        indices = [names.indices(in: context)]
        output.reserveCapacity(1 << 13)
    }

    mutating func render(_ nodes: [Template.Node]) {
        for node in nodes { render(node) }
    }

    private mutating func render(_ node: Template.Node) {
        switch node {
        case .literal(let bytes):
            append(bytes)
        case .variable(let name):
            switch value(name) {
            case .text(let text) where !text.isEmpty:
                indent()
                EscapedText.append(text, to: &output)
            case .markup(let bytes) where !bytes.isEmpty:
                indent()
                output.append(contentsOf: bytes)
            default: break
            }
        case .section(let name, let nodes):
            renderSection(value(name), nodes)
        case .inverted(let name, let nodes):
            if value(name)?.isPresent != true { render(nodes) }
        case .partial(let inclusion):
            renderTemplate(inclusion)
        case .parent(let parent, let blocks):
            let outer = overrides
            // The template that is rendered first is the most derived one, and its blocks win.
            for block in blocks where overrides[block.name] == nil { overrides[block.name] = block.nodes }
            renderTemplate(parent)
            overrides = outer
        case .block(let block):
            // A block with the same name inside an override belongs to the override. Otherwise the override would
            // contain itself.
            let override = overrides.removeValue(forKey: block.name)
            render(override ?? block.nodes)
            overrides[block.name] = override
        }
    }

    private mutating func renderSection(_ value: TemplateValue?, _ nodes: [Template.Node]) {
        switch value {
        case .text(let text) where !text.isEmpty: render(nodes, in: TemplateText(text))
        case .object(let context?): render(nodes, in: context)
        case .list(let elements): for element in elements { render(nodes, in: element) }
        case .flag(true): render(nodes)
        case .markup(let bytes) where !bytes.isEmpty: render(nodes)
        default: break
        }
    }

    private mutating func render(_ nodes: [Template.Node], in context: any TemplateContext) {
        contexts.append(context)
        indices.append(names.indices(in: context))
        render(nodes)
        contexts.removeLast()
        indices.removeLast()
    }

    private mutating func renderTemplate(_ inclusion: Template.Inclusion) {
        guard let template = templates[inclusion.name] else { return }
        let length = indentation.count
        indentation += inclusion.indentation
        if !inclusion.indentation.isEmpty { isAtLineStart = true }
        render(template.nodes)
        indentation.removeLast(indentation.count - length)
    }

    /// The value of a name in the innermost context that has its first part.
    private func value(_ name: TemplateName) -> TemplateValue? {
        guard let number = name.numbers[0] else { return nil }
        var depth = contexts.count - 1
        while depth >= 0 {
            if let index = indices[depth][number] {
                let value = contexts[depth].value(at: index)
                return name.numbers.count == 1 ? value : part(name.numbers.dropFirst(), of: value)
            }
            depth -= 1
        }
        return nil
    }

    private func part(_ numbers: ArraySlice<Int?>, of value: TemplateValue) -> TemplateValue? {
        guard let first = numbers.first else { return value }
        guard let first, case .object(let context?) = value, let index = names.indices(in: context)[first]
        else { return nil }
        return part(numbers.dropFirst(), of: context.value(at: index))
    }

    private mutating func append(_ bytes: [UInt8]) {
        guard !indentation.isEmpty else {
            output.append(contentsOf: bytes)
            return
        }
        for byte in bytes {
            indent()
            output.append(byte)
            isAtLineStart = byte == UInt8(ascii: "\n")
        }
    }

    private mutating func indent() {
        if isAtLineStart { output.append(contentsOf: indentation) }
        isAtLineStart = false
    }
}

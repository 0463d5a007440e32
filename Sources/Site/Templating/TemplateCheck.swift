/// Checks that templates only use names that exist. A mistyped name or partial would otherwise be rendered as nothing.
struct TemplateCheck {
    /// The templates, by the name under which others include them: "card".
    let templates: [String: Template]

    /// The content of a block that a page gives to the template it is built on.
    private struct Override {
        let file: String
        let nodes: [Template.Node]
    }

    /// The current position of the check in the nested templates, and the names in scope there.
    private struct Position {
        /// The file of the template whose nodes are checked.
        var file: String
        /// The types of the contexts in which names are looked up, outermost first.
        var scopes: [any TemplateContext.Type]
        var overrides: [String: Override] = [:]
        /// The number of lists of the innermost context that were entered on the way here. Only a recursion through
        /// such a list ends.
        var descents = 0
        /// The templates that are being included, each with the innermost context and the value of `descents` at its
        /// inclusion. In another context, the same names can mean the lists of an outer one.
        var including: [(name: String, subject: ObjectIdentifier, descents: Int)] = []
        /// The number of these templates that were included before a section last returned to an outer context. A
        /// recursion of one of them can begin there again and again, so it need not end.
        var returned = 0

        /// The index of the innermost context. A text is none, because it has no names.
        var innermost: Int { scopes.lastIndex { $0 != TemplateText.self } ?? 0 }
        var subject: ObjectIdentifier { ObjectIdentifier(scopes[innermost]) }

        func error(_ line: Int, _ message: String) -> SiteError {
            .template(file: file, line: line, message: message)
        }
    }

    /// - Throws: `SiteError.template` for the first invalid name in the template or in a template that it includes.
    func check(_ name: String, for subject: any TemplateContext.Type) throws(SiteError) {
        guard let template = templates[name] else {
            throw .template(file: name + ".mustache", line: 1, message: "this template is missing")
        }
        let start = Position(
            file: template.file, scopes: [subject], including: [(name, ObjectIdentifier(subject), 0)])
        try check(template.nodes, at: start)
    }

    private func check(_ nodes: [Template.Node], at position: Position) throws(SiteError) {
        for node in nodes { try check(node, at: position) }
    }

    private func check(_ node: Template.Node, at position: Position) throws(SiteError) {
        switch node {
        case .literal:
            break
        case .variable(let name):
            switch try kind(of: name, at: position).kind {
            case .text, .markup: break
            case .flag, .object, .list:
                throw position.error(
                    name.line, "{{\(name.text)}} is not a text; open it with {{#\(name.text)}}…{{/\(name.text)}}")
            }
        case .section(let name, let nodes):
            try check(nodes, at: entering(name, from: position))
        case .inverted(let name, let nodes):
            _ = try kind(of: name, at: position)
            try check(nodes, at: position)
        case .partial(let inclusion):
            try checkInclusion(inclusion, overrides: position.overrides, at: position)
        case .parent(let parent, let blocks):
            try checkParent(parent, blocks, at: position)
        case .block(let block):
            var inside = position
            // As in `TemplateCompiler`, a block with the same name inside an override belongs to the override.
            let override = inside.overrides.removeValue(forKey: block.name)
            if let override { inside.file = override.file }
            try check(override?.nodes ?? block.nodes, at: inside)
        }
    }

    /// Checks a template that is built on another one and fills its blocks.
    private func checkParent(
        _ parent: Template.Inclusion, _ blocks: [Template.Block], at position: Position
    ) throws(SiteError) {
        var visited: Set = [parent.name]
        let known = self.blocks(in: templates[parent.name]?.nodes ?? [], visited: &visited)
        var overrides = position.overrides
        for block in blocks {
            guard known.contains(block.name) || templates[parent.name] == nil else {
                throw position.error(block.line, "\(parent.name).mustache has no block \"\(block.name)\"")
            }
            // The innermost override wins, that of the template that was rendered first, as in `TemplateCompiler`.
            overrides[block.name] = overrides[block.name] ?? Override(file: position.file, nodes: block.nodes)
        }
        try checkInclusion(parent, overrides: overrides, at: position)
    }

    /// The names of the blocks in a template and in the templates that it includes.
    private func blocks(in nodes: [Template.Node], visited: inout Set<String>) -> Set<String> {
        var names: Set<String> = []
        for node in Template.all(nodes) {
            switch node {
            case .block(let block):
                names.insert(block.name)
            case .partial(let inclusion), .parent(let inclusion, _):
                guard visited.insert(inclusion.name).inserted else { continue }
                names.formUnion(blocks(in: templates[inclusion.name]?.nodes ?? [], visited: &visited))
            default: break
            }
        }
        return names
    }

    private func checkInclusion(
        _ inclusion: Template.Inclusion, overrides: [String: Override], at position: Position
    ) throws(SiteError) {
        guard let template = templates[inclusion.name] else {
            let words = inclusion.name.removing(prefix: StringTemplates.prefix).map {
                "there is no text \"\($0)\" in strings/"
            }
            throw position.error(inclusion.line, words ?? "there is no template \(inclusion.name).mustache")
        }
        let subject = position.subject
        let isSame = { (outer: (name: String, subject: ObjectIdentifier, descents: Int)) in
            outer.name == inclusion.name && outer.subject == subject
        }
        if let outer = position.including.lastIndex(where: isSame) {
            guard outer >= position.returned, position.including[outer].descents < position.descents else {
                throw position.error(inclusion.line, "\(inclusion.name).mustache includes itself endlessly")
            }
            return
        }
        var inside = position
        inside.file = template.file
        inside.overrides = overrides
        inside.including.append((inclusion.name, subject, position.descents))
        try check(template.nodes, at: inside)
    }

    /// The position inside a section.
    private func entering(_ name: TemplateName, from position: Position) throws(SiteError) -> Position {
        let (kind, isOwn) = try kind(of: name, at: position)
        var inside = position
        switch kind {
        case .text: inside.scopes.append(TemplateText.self)
        case .flag, .markup: break
        case .object(let subject), .list(let subject):
            inside.scopes.append(subject)
            if !isOwn {
                inside.returned = inside.including.count
            } else if case .list = kind, subject != TemplateText.self {
                inside.descents += 1
            }
        }
        return inside
    }

    /// The kind of a name, and whether the name belongs to the innermost context.
    private func kind(
        of name: TemplateName, at position: Position
    ) throws(SiteError) -> (kind: TemplateKind, isOwn: Bool) {
        guard let depth = position.scopes.lastIndex(where: { $0.kind(of: name.parts[0]) != nil }),
            var kind = position.scopes[depth].kind(of: name.parts[0])
        else { throw unknown(name, at: position) }
        for part in name.parts.dropFirst() {
            guard case .object(let subject) = kind, let next = subject.kind(of: part) else {
                throw unknown(name, at: position)
            }
            kind = next
        }
        return (kind, depth == position.innermost)
    }

    private func unknown(_ name: TemplateName, at position: Position) -> SiteError {
        let names = Set(position.scopes.flatMap { Array($0.kinds.keys) }).sorted().joined(separator: ", ")
        return position.error(name.line, "\"\(name.text)\" is unknown here; the names are: \(names)")
    }
}

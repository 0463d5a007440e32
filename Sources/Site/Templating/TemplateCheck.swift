/// Checks that templates name only what there is: Mustache itself renders an unknown variable or partial as nothing,
/// and a mistyped name would go unseen.
struct TemplateCheck {
    /// The trees by the name under which partials are included: "card".
    let trees: [String: TemplateTree]

    /// The replacement of a block where a page is built on another template.
    private struct Override {
        let tree: TemplateTree
        let nodes: [TemplateTree.Node]
    }

    /// The check's place in the nested templates, with the names in scope there.
    private struct Position {
        var tree: TemplateTree
        /// The contexts that are being rendered, outermost first.
        var scopes: [any TemplateContext.Type]
        var overrides: [String: Override] = [:]
        /// The number of lists of the innermost context that the path here entered. Only such a path ends.
        var descents = 0
        /// The templates being included, and the descents at which they were.
        var including: [(name: String, descents: Int)] = []

        func error(_ tag: TemplateTag, _ message: String) -> SiteError {
            .template(file: tree.file, line: tag.line, message: message)
        }
    }

    /// - Throws: `SiteError.template` for the first name that the template, or one that it includes, can't have.
    func check(_ name: String, for subject: any TemplateContext.Type) throws(SiteError) {
        guard let tree = trees[name] else {
            throw .template(file: name + ".mustache", line: 1, message: "this template is missing")
        }
        try check(tree.nodes, at: Position(tree: tree, scopes: [subject], including: [(name, 0)]))
    }

    private func check(_ nodes: [TemplateTree.Node], at position: Position) throws(SiteError) {
        for node in nodes { try check(node, at: position) }
    }

    private func check(_ node: TemplateTree.Node, at position: Position) throws(SiteError) {
        let tag = node.tag
        switch tag.kind {
        case .variable:
            switch try kind(of: tag, at: position).kind {
            case .text, .markup: break
            case .flag, .object, .list:
                throw position.error(tag, "{{\(tag.name)}} is no text; open it with {{#\(tag.name)}}…{{/\(tag.name)}}")
            }
        case .section:
            try check(node.children, at: entering(tag, from: position))
        case .inverted:
            _ = try kind(of: tag, at: position)
            try check(node.children, at: position)
        case .partial:
            try checkInclusion(of: tag, overrides: position.overrides, at: position)
        case .parent:
            try checkParent(node, at: position)
        case .block:
            if let override = position.overrides[tag.name] {
                var inside = position
                inside.tree = override.tree
                try check(override.nodes, at: inside)
            } else {
                try check(node.children, at: position)
            }
        case .unescaped:
            throw position.error(tag, "values are always escaped: write {{name}}, not {{{name}}} or {{&name}}")
        case .setting:
            throw position.error(tag, "tags that change how templates are read are not supported")
        case .close:
            break
        }
    }

    /// A template that is built on another one and fills its blocks.
    private func checkParent(_ node: TemplateTree.Node, at position: Position) throws(SiteError) {
        var visited: Set = [node.tag.name]
        let known = blocks(in: trees[node.tag.name]?.nodes ?? [], visited: &visited)
        var overrides = position.overrides
        for child in node.children where child.tag.kind == .block {
            guard known.contains(child.tag.name) || trees[node.tag.name] == nil else {
                throw position.error(child.tag, "\(node.tag.name).mustache has no block \"\(child.tag.name)\"")
            }
            // The innermost template's text wins, as it does when rendering.
            overrides[child.tag.name] =
                overrides[child.tag.name] ?? Override(tree: position.tree, nodes: child.children)
        }
        try checkInclusion(of: node.tag, overrides: overrides, at: position)
    }

    /// The names of the blocks in a template and in those that it includes.
    private func blocks(in nodes: [TemplateTree.Node], visited: inout Set<String>) -> Set<String> {
        var names: Set<String> = []
        for node in nodes {
            if node.tag.kind == .block { names.insert(node.tag.name) }
            names.formUnion(blocks(in: node.children, visited: &visited))
            if node.tag.kind == .partial || node.tag.kind == .parent, visited.insert(node.tag.name).inserted {
                names.formUnion(blocks(in: trees[node.tag.name]?.nodes ?? [], visited: &visited))
            }
        }
        return names
    }

    private func checkInclusion(
        of tag: TemplateTag, overrides: [String: Override], at position: Position
    ) throws(SiteError) {
        guard let tree = trees[tag.name] else {
            let words = tag.name.removing(prefix: WordTemplates.prefix).map {
                "there are no words \"\($0)\" in strings/"
            }
            throw position.error(tag, words ?? "there is no template \(tag.name).mustache")
        }
        if let outer = position.including.last(where: { $0.name == tag.name }) {
            guard outer.descents < position.descents else {
                throw position.error(tag, "\(tag.name).mustache includes itself without end")
            }
            return
        }
        var inside = position
        inside.tree = tree
        inside.overrides = overrides
        inside.including.append((tag.name, position.descents))
        try check(tree.nodes, at: inside)
    }

    /// The position inside a section.
    private func entering(_ tag: TemplateTag, from position: Position) throws(SiteError) -> Position {
        let (kind, isOwn) = try kind(of: tag, at: position)
        var inside = position
        switch kind {
        case .text: inside.scopes.append(TemplateText.self)
        case .flag, .markup: break
        case .object(let subject): inside.scopes.append(subject)
        case .list(let subject):
            inside.scopes.append(subject)
            if isOwn { inside.descents += 1 }
        }
        return inside
    }

    /// The kind of a tag's name, and whether the name belongs to the innermost context.
    private func kind(
        of tag: TemplateTag, at position: Position
    ) throws(SiteError) -> (kind: TemplateKind, isOwn: Bool) {
        if tag.name == TemplateText.itself, let kind = position.scopes.last?.kinds[tag.name] { return (kind, true) }
        let parts = tag.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let depth = position.scopes.lastIndex(where: { $0.kinds[parts[0]] != nil }),
            var kind = position.scopes[depth].kinds[parts[0]]
        else { throw unknown(tag, at: position) }
        for part in parts.dropFirst() {
            guard case .object(let subject) = kind, let next = subject.kinds[part] else {
                throw unknown(tag, at: position)
            }
            kind = next
        }
        return (kind, depth == position.scopes.count - 1)
    }

    private func unknown(_ tag: TemplateTag, at position: Position) -> SiteError {
        let names = Set(position.scopes.flatMap { Array($0.kinds.keys) }).sorted().joined(separator: ", ")
        return position.error(tag, "\"\(tag.name)\" is not known here; known are: \(names)")
    }
}

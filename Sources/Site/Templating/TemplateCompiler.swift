/// Translates templates into a program. Names, blocks and included templates are resolved here once, and not for each
/// page.
///
/// The templates have passed `TemplateCheck`: each name exists in the scope in which it is used, and no template
/// includes itself endlessly.
struct TemplateCompiler {
    private let templates: [String: Template]
    private var instructions: [TemplateProgram.Instruction] = []
    private var routines: [TemplateProgram.Routine] = []
    private var literals: [UInt8] = []
    private var paths: [[Int]] = []
    private var indentations: [[UInt8]] = []
    /// The number of each type of context.
    private var types: [ObjectIdentifier: Int] = [:]
    /// The number of each routine. A template that includes itself calls the routine that is being compiled.
    private var compiled: [Key: Int] = [:]
    /// The templates whose routines are numbered but not compiled yet.
    private var waiting: [(routine: Int, template: Template, scope: Scope)] = []

    /// What the instructions of a template depend on.
    private struct Scope {
        /// The types of the contexts in which names are looked up, outermost first. Each type occurs only once: of two
        /// contexts of the same type, the inner one has all the names of the outer one.
        var contexts: [any TemplateContext.Type]
        /// The blocks that replace the default content of blocks, by name.
        var overrides: [String: Template.Block] = [:]
        /// The white space that the inclusion of the template adds before each line. That of outer inclusions is not
        /// part of the scope, because a template that includes itself would have endlessly many scopes.
        var indentation: [UInt8] = []
    }

    /// The identity of a routine.
    private struct Key: Hashable {
        let template: String
        let contexts: [ObjectIdentifier]
        let overrides: [String: ObjectIdentifier]
        let indentation: [UInt8]
        let beginsLine: Bool
    }

    private init(_ templates: [String: Template]) { self.templates = templates }

    /// - Parameter pages: the type of context that each template to be rendered by itself is rendered with.
    static func program(
        _ templates: [String: Template], pages: [String: any TemplateContext.Type]
    ) -> TemplateProgram {
        var compiler = TemplateCompiler(templates)
        var entries: [String: (routine: Int, type: Int)] = [:]
        for (page, context) in pages.sorted(by: { $0.key < $1.key }) {
            guard let template = templates[page] else { continue }
            let routine = compiler.routine(of: template, named: page, beginsLine: false, Scope(contexts: [context]))
            entries[page] = (routine, compiler.number(of: context))
        }
        while let (routine, template, scope) = compiler.waiting.popLast() {
            let start = compiler.instructions.count
            compiler.compile(template.nodes, in: scope)
            compiler.routines[routine].instructions = start..<compiler.instructions.count
        }
        return TemplateProgram(
            instructions: compiler.instructions, routines: compiler.routines, literals: compiler.literals,
            paths: compiler.paths, indentations: compiler.indentations, typeCount: compiler.types.count,
            entries: entries)
    }

    /// - Returns: the number of the routine, which is compiled later if it isn't yet.
    private mutating func routine(of template: Template, named name: String, beginsLine: Bool, _ scope: Scope) -> Int {
        let key = Key(
            template: name, contexts: scope.contexts.map { ObjectIdentifier($0) },
            overrides: scope.overrides.mapValues { ObjectIdentifier($0) }, indentation: scope.indentation,
            beginsLine: beginsLine)
        if let known = compiled[key] { return known }
        let indentation = indentations.firstIndex(of: scope.indentation) ?? indentations.count
        if indentation == indentations.count { indentations.append(scope.indentation) }
        let routine = routines.count
        routines.append(
            TemplateProgram.Routine(instructions: 0..<0, indentation: indentation, beginsLine: beginsLine))
        compiled[key] = routine
        waiting.append((routine, template, scope))
        return routine
    }

    private mutating func number(of context: any TemplateContext.Type) -> Int {
        let identifier = ObjectIdentifier(context)
        if let known = types[identifier] { return known }
        types[identifier] = types.count
        return types.count - 1
    }

    private mutating func compile(_ nodes: [Template.Node], in scope: Scope) {
        for node in nodes { compile(node, in: scope) }
    }

    private mutating func compile(_ node: Template.Node, in scope: Scope) {
        switch node {
        case .literal(let bytes):
            instructions.append(.literal(literals.count..<literals.count + bytes.count))
            literals += bytes
        case .variable(let name):
            guard let (property, _) = property(name, in: scope) else { return }
            instructions.append(.variable(property))
        case .section(let name, let nodes):
            guard let (property, kind) = property(name, in: scope) else { return }
            var inside = scope
            var type = -1
            if let context = kind.context {
                inside.contexts.removeAll { $0 == context }
                inside.contexts.append(context)
                type = number(of: context)
            }
            compile(nodes, in: inside) { .section(property, type: type, end: $0) }
        case .inverted(let name, let nodes):
            guard let (property, _) = property(name, in: scope) else { return }
            compile(nodes, in: scope) { .inverted(property, end: $0) }
        case .partial(let inclusion):
            compile(inclusion, in: scope)
        case .parent(let parent, let blocks):
            var inside = scope
            // The template that is rendered first is the most derived one, and its blocks win.
            for block in blocks where inside.overrides[block.name] == nil { inside.overrides[block.name] = block }
            compile(parent, in: inside)
        case .block(let block):
            // A block with the same name inside an override belongs to the override. Otherwise the override would
            // contain itself.
            var inside = scope
            let override = inside.overrides.removeValue(forKey: block.name)
            compile((override ?? block).nodes, in: inside)
        }
    }

    /// Compiles nodes after an instruction that contains the index of the end of these nodes.
    private mutating func compile(
        _ nodes: [Template.Node], in scope: Scope, after instruction: (_ end: Int) -> TemplateProgram.Instruction
    ) {
        let index = instructions.count
        instructions.append(instruction(index))
        compile(nodes, in: scope)
        instructions[index] = instruction(instructions.count)
    }

    private mutating func compile(_ inclusion: Template.Inclusion, in scope: Scope) {
        guard let template = templates[inclusion.name] else { return }
        var inside = scope
        inside.indentation = inclusion.indentation
        let beginsLine = !inclusion.indentation.isEmpty
        instructions.append(.call(routine(of: template, named: inclusion.name, beginsLine: beginsLine, inside)))
    }

    /// The property of the innermost context that has the first part of the name, and its kind.
    private mutating func property(
        _ name: TemplateName, in scope: Scope
    ) -> (property: TemplateProgram.Property, kind: TemplateKind)? {
        for context in scope.contexts.reversed() {
            guard let index = context.index(of: name.parts[0]), var kind = context.kind(of: name.parts[0]) else {
                continue
            }
            var path: [Int] = []
            for part in name.parts.dropFirst() {
                guard let object = kind.context, let index = object.index(of: part), let next = object.kind(of: part)
                else { return nil }
                path.append(index)
                kind = next
            }
            if !path.isEmpty { paths.append(path) }
            let property = TemplateProgram.Property(
                type: number(of: context), name: index, path: path.isEmpty ? -1 : paths.count - 1)
            return (property, kind)
        }
        return nil
    }
}

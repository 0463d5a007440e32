/// Renders templates that were translated into a program.
struct TemplateRenderer: Sendable {
    private let program: TemplateProgram

    /// - Parameters:
    ///   - templates: the templates, by the name under which others include them: "card". They have passed
    ///     `TemplateCheck`.
    ///   - pages: the type of context that each template to be rendered by itself is rendered with.
    init(templates: [String: Template], pages: [String: any TemplateContext.Type]) {
        program = TemplateCompiler.program(templates, pages: pages)
    }

    /// - Parameters:
    ///   - name: a name in `TemplateSet.pages`.
    ///   - context: a value of the type that `TemplateSet.pages` has for that name.
    /// - Returns: the rendered text as UTF-8.
    func render(_ name: String, _ context: some TemplateContext) -> [UInt8] {
        guard let entry = program.entries[name] else { return [] }
        return program.instructions.withUnsafeBufferPointer { instructions in
            program.literals.withUnsafeBufferPointer { literals in
                var rendering = Rendering(program: program, instructions: instructions, literals: literals)
                rendering.contexts[entry.type] = context
                rendering.call(entry.routine)
                return rendering.output
            }
        }
    }
}

/// The state of rendering one page.
private struct Rendering {
    private let program: TemplateProgram
    // This is safe: the buffers are those of the program's arrays, which outlive the rendering and never change.
    // Reading the arrays themselves would count references for each instruction.
    private let instructions: UnsafeBufferPointer<TemplateProgram.Instruction>
    private let literals: UnsafeBufferPointer<UInt8>
    private(set) var output: [UInt8] = []
    /// The innermost context of each type, by the number of the type.
    var contexts: [(any TemplateContext)?]
    /// The white space that precedes each line of the current template.
    private var indentation: [UInt8] = []
    /// Whether the next byte is the first one of an indented line.
    private var isAtLineStart = false

    init(
        program: TemplateProgram, instructions: UnsafeBufferPointer<TemplateProgram.Instruction>,
        literals: UnsafeBufferPointer<UInt8>
    ) {
        self.program = program
        self.instructions = instructions
        self.literals = literals
        contexts = Array(repeating: nil, count: program.typeCount)
        output.reserveCapacity(1 << 13)
    }

    mutating func call(_ number: Int) {
        let routine = program.routines[number]
        let outer = indentation
        indentation += program.indentations[routine.indentation]
        if routine.beginsLine { isAtLineStart = true }
        execute(routine.instructions)
        indentation = outer
    }

    private mutating func execute(_ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound {
            let instruction = instructions[index]
            index += 1
            switch instruction {
            case .literal(let bytes):
                append(bytes)
            case .variable(let property):
                switch value(property) {
                case .text(let text) where !text.isEmpty:
                    indent()
                    EscapedText.append(text, to: &output)
                case .markup(let bytes) where !bytes.isEmpty:
                    indent()
                    output.append(contentsOf: bytes)
                default: break
                }
            case .section(let property, let type, let end):
                executeSection(value(property), type: type, index..<end)
                index = end
            case .inverted(let property, let end):
                if value(property)?.isPresent != true { execute(index..<end) }
                index = end
            case .call(let number):
                call(number)
            }
        }
    }

    private mutating func executeSection(_ value: TemplateValue?, type: Int, _ range: Range<Int>) {
        switch value {
        case .text(let text) where !text.isEmpty: execute(range, in: TemplateText(text), type: type)
        case .object(let context?): execute(range, in: context, type: type)
        case .list(let elements): for element in elements { execute(range, in: element, type: type) }
        case .flag(true): execute(range)
        case .markup(let bytes) where !bytes.isEmpty: execute(range)
        default: break
        }
    }

    private mutating func execute(_ range: Range<Int>, in context: any TemplateContext, type: Int) {
        let outer = contexts[type]
        contexts[type] = context
        execute(range)
        contexts[type] = outer
    }

    private func value(_ property: TemplateProgram.Property) -> TemplateValue? {
        guard let context = contexts[property.type] else { return nil }
        guard property.path >= 0 else { return context.value(at: property.name) }
        var value = context.value(at: property.name)
        for name in program.paths[property.path] {
            guard case .object(let context?) = value else { return nil }
            value = context.value(at: name)
        }
        return value
    }

    private mutating func append(_ range: Range<Int>) {
        let bytes = UnsafeBufferPointer(rebasing: literals[range])
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

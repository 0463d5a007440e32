/// Templates translated into instructions, in which every name is already resolved. `TemplateCompiler` makes it.
///
/// An instruction has no references, so that the threads that render pages don't count references to the same objects.
final class TemplateProgram: Sendable {
    /// A name that is resolved to a property of a context.
    struct Property {
        /// The number of the context's type.
        let type: Int
        /// The index of the name in the vocabulary of that type.
        let name: Int
        /// The number in `paths` of the further parts of a name such as "photo.name"; -1 for a name with a single part.
        let path: Int
    }

    enum Instruction {
        /// Copies bytes of `literals`.
        case literal(Range<Int>)
        case variable(Property)
        /// Executes the instructions up to `end` for each value of the property.
        /// - Parameter type: the number of the type of context that each value is; -1 if the values are no contexts.
        case section(Property, type: Int, end: Int)
        /// Executes the instructions up to `end` if the property has no value.
        case inverted(Property, end: Int)
        /// Executes another routine.
        case call(Int)
    }

    /// The instructions of a template, for one set of contexts and overridden blocks.
    struct Routine {
        var instructions: Range<Int>
        /// The number in `indentations` of the white space that the routine adds before each line.
        let indentation: Int
        /// Whether the routine begins a new line of indented text.
        let beginsLine: Bool
    }

    let instructions: [Instruction]
    let routines: [Routine]
    let literals: [UInt8]
    let paths: [[Int]]
    let indentations: [[UInt8]]
    /// The number of types of contexts.
    let typeCount: Int
    /// The routine of each template that is rendered by itself, and the number of its context's type.
    let entries: [String: (routine: Int, type: Int)]

    init(
        instructions: [Instruction], routines: [Routine], literals: [UInt8], paths: [[Int]], indentations: [[UInt8]],
        typeCount: Int, entries: [String: (routine: Int, type: Int)]
    ) {
        self.instructions = instructions
        self.routines = routines
        self.literals = literals
        self.paths = paths
        self.indentations = indentations
        self.typeCount = typeCount
        self.entries = entries
    }
}

/// The names of all contexts that templates can reach, with a number for each name.
///
/// Rendering looks names up by number. Looking them up by text took a third of the time for a page.
struct TemplateNames: Sendable {
    static let shared = TemplateNames(of: Array(TemplateSet.pages.values) + [TemplateText.self])

    /// The number of each name, counted from 0.
    let numbers: [String: Int]
    /// For each type of context and the number of each name: the index of the name in the context's vocabulary, or nil.
    private let indices: [ObjectIdentifier: [Int?]]

    /// - Parameter roots: the contexts from which templates reach all others.
    private init(of roots: [any TemplateContext.Type]) {
        var contexts: [ObjectIdentifier: any TemplateContext.Type] = [:]
        var waiting = roots
        while let context = waiting.popLast() {
            guard contexts.updateValue(context, forKey: ObjectIdentifier(context)) == nil else { continue }
            for kind in context.kinds.values {
                switch kind {
                case .object(let part), .list(let part): waiting.append(part)
                case .text, .markup, .flag: break
                }
            }
        }
        let names = Set(contexts.values.flatMap { Array($0.kinds.keys) }).sorted()
        numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        indices = contexts.mapValues { context in names.map { context.index(of: $0) } }
    }

    /// - Returns: the index of each name, by number, in the vocabulary of this context.
    func indices(in context: any TemplateContext) -> [Int?] { indices[ObjectIdentifier(type(of: context))] ?? [] }
}

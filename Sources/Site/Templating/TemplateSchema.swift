/// A value whose properties templates can use by name. The vocabulary of its type defines the names.
///
/// Contexts are objects, because a renderer keeps them as `any TemplateContext`. A structure would be boxed there, and
/// each use of it would count the references of all its properties.
protocol TemplateContext: AnyObject, Sendable {
    static var vocabulary: TemplateSchema<Self> { get }

    /// - Parameter index: the index of a name in the vocabulary.
    func value(at index: Int) -> TemplateValue
}

extension TemplateContext {
    // The protocol requires this method, so that the compiler specialises it for each type. The generic one looks up
    // metadata at each call, which took a tenth of the time for a page.
    func value(at index: Int) -> TemplateValue { Self.vocabulary.ordered[index].value(self) }

    /// The index of a name in the vocabulary; nil for an unknown name.
    static func index(of name: String) -> Int? { vocabulary.indices[name] }

    /// The kind of each name, by which templates are checked before they are used.
    static var kinds: [String: TemplateKind] { vocabulary.entries.mapValues(\.kind) }

    /// The kind of value that a name stands for; nil for an unknown name.
    static func kind(of name: String) -> TemplateKind? { vocabulary.entries[name]?.kind }
}

/// The kind of a name, which decides how a template can use the name.
enum TemplateKind: Sendable {
    /// `{{name}}` prints the text; `{{#name}}…{{/name}}` is rendered unless the text is empty.
    case text
    /// Markup is used like a text, but was rendered by other templates and is not escaped again.
    case markup
    /// `{{#name}}…{{/name}}` is rendered if the flag is true.
    case flag
    /// `{{#name}}…{{/name}}` is rendered if the object exists, with the object's names in scope; `{{name.part}}` prints
    /// a part of it.
    case object(any TemplateContext.Type)
    /// `{{#name}}…{{/name}}` is rendered for each element, with the element's names in scope.
    case list(any TemplateContext.Type)

    /// The type of context that a section of the name opens; nil if it opens none.
    var context: (any TemplateContext.Type)? {
        switch self {
        case .text: TemplateText.self
        case .object(let context), .list(let context): context
        case .markup, .flag: nil
        }
    }
}

/// The value of a name on a page.
enum TemplateValue: Sendable {
    /// A text that is escaped when it is printed. An empty text counts as absent.
    case text(String)
    /// Markup that is printed without escaping.
    case markup([UInt8])
    case flag(Bool)
    case object((any TemplateContext)?)
    case list([any TemplateContext])

    /// Whether a section of this value is rendered.
    var isPresent: Bool {
        switch self {
        case .text(let text): !text.isEmpty
        case .markup(let bytes): !bytes.isEmpty
        case .flag(let flag): flag
        case .object(let context): context != nil
        case .list(let elements): !elements.isEmpty
        }
    }
}

/// The names of a type of context, and how the value of each name is obtained. The renderer and the check use the same
/// table, so that they can't disagree.
struct TemplateSchema<Subject: Sendable>: Sendable {
    /// `Entry` is a class, because reading it from an array then needs no metadata of `Subject`.
    final class Entry: Sendable {
        let kind: TemplateKind
        let value: @Sendable (Subject) -> TemplateValue

        init(kind: TemplateKind, value: @escaping @Sendable (Subject) -> TemplateValue) {
            self.kind = kind
            self.value = value
        }
    }

    let entries: [String: Entry]
    /// The entries, sorted by name.
    let ordered: [Entry]
    /// The index of each name in `ordered`.
    let indices: [String: Int]

    init(_ entries: [String: Entry]) {
        self.entries = entries
        let names = entries.keys.sorted()
        indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        ordered = names.compactMap { entries[$0] }
    }

    /// Creates a schema with these names and the names of a context that is part of this one.
    init<Part: TemplateContext>(
        with part: @escaping @Sendable (Subject) -> Part, _ entries: [String: Entry]
    ) {
        let borrowed = Part.vocabulary.entries.mapValues { entry in
            Entry(kind: entry.kind) { entry.value(part($0)) }
        }
        self.init(borrowed.merging(entries) { _, own in own })
    }
}

extension TemplateSchema.Entry {
    static func text(_ get: @escaping @Sendable (Subject) -> String?) -> TemplateSchema.Entry {
        TemplateSchema.Entry(kind: .text) { .text(get($0) ?? "") }
    }

    static func number(_ get: @escaping @Sendable (Subject) -> Int?) -> TemplateSchema.Entry {
        TemplateSchema.Entry(kind: .text) { .text(get($0).map { String($0) } ?? "") }
    }

    static func markup(_ get: @escaping @Sendable (Subject) -> [UInt8]) -> TemplateSchema.Entry {
        TemplateSchema.Entry(kind: .markup) { .markup(get($0)) }
    }

    static func flag(_ get: @escaping @Sendable (Subject) -> Bool) -> TemplateSchema.Entry {
        TemplateSchema.Entry(kind: .flag) { .flag(get($0)) }
    }

    static func object<Object: TemplateContext>(_ get: @escaping @Sendable (Subject) -> Object?) -> TemplateSchema.Entry
    {
        TemplateSchema.Entry(kind: .object(Object.self)) { .object(get($0)) }
    }

    static func list<Element: TemplateContext>(_ get: @escaping @Sendable (Subject) -> [Element])
        -> TemplateSchema.Entry
    {
        TemplateSchema.Entry(kind: .list(Element.self)) { .list(get($0)) }
    }
}

/// A text in a list, or a text whose section is open. Templates print it with `{{.}}`.
final class TemplateText: TemplateContext {
    /// The name in the tag `{{.}}`, which the Mustache specification calls the implicit iterator.
    static let implicitIterator = "."

    private let text: String

    init(_ text: String) { self.text = text }

    static let vocabulary = TemplateSchema<TemplateText>([implicitIterator: .text { $0.text }])
}

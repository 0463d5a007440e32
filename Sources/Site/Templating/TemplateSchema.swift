/// Something whose values templates can name. What a template may ask of it is its vocabulary.
protocol TemplateContext: Sendable {
    static var vocabulary: TemplateSchema<Self> { get }
}

extension TemplateContext {
    /// - Parameter place: A name's place in the vocabulary.
    func value(at place: Int) -> TemplateValue { Self.vocabulary.ordered[place].value(self) }

    /// The place of a name in the vocabulary; nil for a name that is not there.
    static func place(of name: String) -> Int? { vocabulary.places[name] }

    /// The kind of each name, for checking a template before it is used.
    static var kinds: [String: TemplateKind] { vocabulary.entries.mapValues(\.kind) }
}

/// The kind of a name, which decides how a template may use it.
enum TemplateKind: Sendable {
    /// `{{name}}` prints it; `{{#name}}…{{/name}}` is rendered if there is any.
    case text
    /// As a text, but made of other templates.
    case markup
    /// `{{#name}}…{{/name}}` is rendered if it is true.
    case flag
    /// `{{#name}}…{{/name}}` is rendered if it is there, with its names in reach; `{{name.part}}` prints a part.
    case object(any TemplateContext.Type)
    /// `{{#name}}…{{/name}}` is rendered for each element, with the element's names in reach.
    case list(any TemplateContext.Type)
}

/// The value of a name on one page.
enum TemplateValue: Sendable {
    /// Escaped where it is printed. An empty text counts as absent.
    case text(String)
    /// Printed as it is.
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

/// The names that templates may use of one subject, and how the value of each is found: one table for the renderer
/// and for the check, so that they cannot disagree.
struct TemplateSchema<Subject: Sendable>: Sendable {
    /// A class, so that reading an array of entries takes no metadata of `Subject`.
    final class Entry: Sendable {
        let kind: TemplateKind
        let value: @Sendable (Subject) -> TemplateValue

        init(kind: TemplateKind, value: @escaping @Sendable (Subject) -> TemplateValue) {
            self.kind = kind
            self.value = value
        }
    }

    let entries: [String: Entry]
    /// The entries in an order that does not change.
    let ordered: [Entry]
    /// The place of each name in `ordered`.
    let places: [String: Int]

    init(_ entries: [String: Entry]) {
        self.entries = entries
        let names = entries.keys.sorted()
        places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        ordered = names.compactMap { entries[$0] }
    }

    /// These names, and those of a subject that this one has as a part.
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

/// A text in a list, or one whose section is open: templates print it by `{{.}}`.
struct TemplateText: TemplateContext {
    /// The name that `{{.}}` looks up.
    static let itself = "."

    private let text: String

    init(_ text: String) { self.text = text }

    static let vocabulary = TemplateSchema<TemplateText>([itself: .text { $0.text }])
}

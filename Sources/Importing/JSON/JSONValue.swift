internal import Manifest

/// A JSON value (RFC 8259). The members of an object keep their order, which becomes the order of the list.
enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// The number as it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// The first member with this key; nil if there is none, or if the value is not an object.
    subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    var number: Double? { if case .number(let text) = self { Double(text) } else { nil } }

    /// The elements of an array; nil for everything else.
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// Whether the value is a text, a number or a truth value.
    var isField: Bool {
        switch self {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }

    /// Whether the value is null or empty, which is the same as no value.
    var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): WhiteSpace.trimmed(text).isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .bool, .number: false
        }
    }

    /// The elements of an array, or the value itself.
    var list: [JSONValue] { elements ?? [self] }
}

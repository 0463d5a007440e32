internal import PhotoModel

/// A value of a property list, with the place of its element.
struct PropertyListValue: Sendable {
    enum Content: Sendable {
        case string(String)
        /// An integer or a real; the nearest Double, as only ratings are numbers here.
        case number(Double)
        /// RFC 3339, UTC.
        case date(String)
        /// The content is checked to be Base64 and not kept, because no key takes it.
        case data
        case boolean
        case dict([PropertyListEntry])
        case array([PropertyListValue])
    }

    let content: Content
    let position: TextPosition

    /// The kind of the value in messages: "a number".
    var kind: String {
        switch content {
        case .string: "text"
        case .number: "a number"
        case .date: "a date"
        case .data: "binary data"
        case .boolean: "true or false"
        case .dict: "a dict"
        case .array: "an array"
        }
    }

    /// The mistake where an address is expected, which is text; an empty one is the mistake that text may have.
    var addressProblem: AddressProblem {
        switch content {
        case .string: .empty
        case .number: .number
        case .date: .date
        case .data: .data
        case .boolean: .boolean
        case .dict: .dict
        case .array: .array
        }
    }
}

/// A key of a dict with its value.
struct PropertyListEntry: Sendable {
    /// White space at its ends is trimmed; line breaks and tabs inside are one space.
    let key: String
    let keyPosition: TextPosition
    let value: PropertyListValue

    /// Whether its value can't be an album.
    var isText: Bool {
        switch value.content {
        case .dict: false
        // Tags.
        case .array(let values): values.allSatisfy { if case .string = $0.content { true } else { false } }
        default: true
        }
    }
}

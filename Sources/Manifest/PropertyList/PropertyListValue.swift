internal import PhotoModel

/// A value of a property list, with the position of its element.
struct PropertyListValue: Sendable {
    enum Content: Sendable {
        case string(String)
        /// An integer or a real, as the nearest Double: only ratings are numbers here.
        case number(Double)
        /// A date as in RFC 3339, in UTC.
        case date(String)
        /// Data, which is checked to be Base64 and not kept, because no key takes it.
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

    /// The problem with this value where an address is expected. An address is text, so the only problem with text is
    /// that it can be empty.
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
    /// The text of the key. White space at its ends is trimmed, and each run of it inside that has a line break or a
    /// tab is one space.
    let key: String
    let keyPosition: TextPosition
    let value: PropertyListValue

    /// Whether the value can't be an album.
    var isText: Bool {
        switch value.content {
        case .dict: false
        // An array of texts can be a photo's tags.
        case .array(let values): values.allSatisfy { if case .string = $0.content { true } else { false } }
        default: true
        }
    }
}

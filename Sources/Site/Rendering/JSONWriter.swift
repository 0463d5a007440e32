internal import PhotoModel

/// Writes JSON (RFC 8259) value by value, without white space. It is for lists of all photos, because values of `JSON`,
/// which are allocated one by one, take twice as long.
struct JSONWriter {
    /// The text as UTF-8.
    private(set) var bytes: [UInt8]
    /// Whether the object that is being written has no member yet.
    private var isFirstMember = true

    /// - Parameter bytes: what precedes the values.
    init(after bytes: consuming [UInt8]) { self.bytes = bytes }

    mutating func null() { bytes += "null".utf8 }

    mutating func number(_ number: some FixedWidthInteger) { bytes += String(number).utf8 }

    mutating func text(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        JSON.writeEscaped(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a digest as the text of its hexadecimal digits.
    mutating func text(_ digest: Digest) {
        bytes.append(UInt8(ascii: "\""))
        digest.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// - Parameter write: writes the element; called for each of them.
    mutating func list<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// - Parameter members: writes the members.
    mutating func object(_ members: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        isFirstMember = true
        members(&self)
        isFirstMember = false
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes a member of an object.
    /// - Parameters:
    ///   - key: the key, in which nothing needs to be escaped.
    ///   - value: writes the value.
    mutating func member(_ key: StaticString, _ value: (inout JSONWriter) -> Void) {
        if !isFirstMember { bytes.append(UInt8(ascii: ",")) }
        isFirstMember = false
        bytes.append(UInt8(ascii: "\""))
        bytes += key.utf8Bytes
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        value(&self)
    }

    /// Writes a member whose value is null if there is none.
    mutating func member<Value>(
        _ key: StaticString, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
    ) {
        member(key) { json in
            if let value { write(&json, value) } else { json.null() }
        }
    }

    mutating func member(_ key: StaticString, _ text: String?) { member(key, text) { $0.text($1) } }

    mutating func member(_ key: StaticString, _ number: (some FixedWidthInteger)?) {
        member(key, number) { $0.number($1) }
    }
}

extension StaticString {
    /// The text as UTF-8, without a copy. The text must not be a single character.
    ///
    /// The pointer is always valid: it leads to a constant of the program.
    var utf8Bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}

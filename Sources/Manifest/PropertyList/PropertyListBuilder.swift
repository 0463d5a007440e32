/// Builds a property list from the start tags, texts and end tags of its XML, and refuses everything that a property
/// list must not contain. It keeps its own stack, so that no nesting in the file can exhaust the program's.
struct PropertyListBuilder {
    /// The maximum depth of elements. Albums nest 32 deep, and a photo's dict and the array of its tags come on top.
    /// Deeper nesting is refused before it is read.
    static let maximumDepth = 40
    /// The length of the longest key or value, in bytes of UTF-8.
    static let maximumTextLength = 10_000_000
    /// The most values. Keys are not counted. 100,000 photos with all their details and ten tags each have 2.7 million.
    static let maximumValues = 5_000_000

    /// A dict or an array whose end tag has not been read yet.
    private struct Container {
        let isDict: Bool
        let position: TextPosition
        var entries: [PropertyListEntry] = []
        var values: [PropertyListValue] = []
        var keys = SeenKeys()
        var pendingKey: (text: String, position: TextPosition)?
    }

    /// An element that contains only text, and whose end tag has not been read yet.
    private struct Leaf {
        let element: PropertyListElement
        let position: TextPosition
        var text: [UInt8] = []
    }

    private var containers: [Container] = []
    private var leaf: Leaf?
    private var plist: TextPosition?
    private var root: PropertyListValue?
    private var values = 0

    mutating func start(_ name: String, at position: TextPosition) throws(ManifestError) {
        guard plist != nil else {
            guard name == "plist" else { throw .notAPropertyList(.root(name), nil, position) }
            plist = position
            return
        }
        if let leaf {
            throw .brokenPropertyList(.elementInText(name, inside: leaf.element.rawValue), position)
        }
        guard let element = PropertyListElement(rawValue: name) else {
            throw .brokenPropertyList(.unknownElement(name), position)
        }
        try checkNesting(of: element, at: position)
        if element != .key { values += 1 }
        guard values <= Self.maximumValues else { throw .tooManyValues(limit: Self.maximumValues, position) }
        switch element {
        case .dict, .array:
            guard containers.count < Self.maximumDepth else {
                throw .tooDeep(limit: ManifestReader.maximumAlbumDepth, position)
            }
            containers.append(Container(isDict: element == .dict, position: position))
        default:
            leaf = Leaf(element: element, position: position)
        }
    }

    /// - Parameter position: returns the position of the byte with the given index in `bytes`; called only if it is
    ///   refused.
    mutating func text(
        _ bytes: UnsafeBufferPointer<UInt8>, position: (Int) -> TextPosition
    ) throws(ManifestError) {
        if leaf != nil {
            leaf?.text.append(contentsOf: bytes)
            if let leaf, leaf.text.count > Self.maximumTextLength {
                throw .textTooLong(limit: Self.maximumTextLength, leaf.position)
            }
        } else if let stray = bytes.firstIndex(where: { !WhiteSpace.contains($0) }) {
            let outer = containers.last.map { $0.isDict ? "dict" : "array" } ?? "plist"
            throw .brokenPropertyList(.strayText(inside: outer), position(stray))
        }
    }

    mutating func end(at position: TextPosition) throws(ManifestError) {
        if let leaf {
            self.leaf = nil
            if leaf.element == .key {
                try addKey(String(decoding: leaf.text, as: UTF8.self), at: leaf.position)
            } else {
                let text = String(decoding: leaf.text, as: UTF8.self)
                let content = try PropertyListScalar.content(of: leaf.element, text: text, at: leaf.position)
                add(PropertyListValue(content: content, position: leaf.position))
            }
        } else if let container = containers.popLast() {
            if let pending = container.pendingKey {
                throw .brokenPropertyList(.keyWithoutValue(pending.text), pending.position)
            }
            let content: PropertyListValue.Content =
                container.isDict ? .dict(container.entries) : .array(container.values)
            add(PropertyListValue(content: content, position: container.position))
        } else if root == nil {
            throw .brokenPropertyList(.noValue, plist ?? position)
        }
    }

    /// The value of the property list, a dict or an array; nil before the last end tag.
    func finish() -> PropertyListValue? { root }

    private func checkNesting(of element: PropertyListElement, at position: TextPosition) throws(ManifestError) {
        guard let container = containers.last else {
            guard root == nil else { throw .brokenPropertyList(.secondRoot, position) }
            guard element == .dict || element == .array else {
                throw .brokenPropertyList(.rootIsNoList("<\(element.rawValue)>"), position)
            }
            return
        }
        switch (container.isDict, element == .key, container.pendingKey) {
        case (false, true, _): throw .brokenPropertyList(.keyInArray, position)
        case (true, true, let pending?): throw .brokenPropertyList(.keyAfterKey(pending.text), position)
        case (true, false, nil):
            throw .brokenPropertyList(.valueWithoutKey(after: container.entries.last?.key), position)
        default: break
        }
    }

    private mutating func addKey(_ text: String, at position: TextPosition) throws(ManifestError) {
        let key = WhiteSpace.collapsed(text)
        let last = containers.count - 1
        if let first = containers[last].keys.add(key, at: position) {
            throw .duplicateKey(key, first: first, second: position)
        }
        containers[last].pendingKey = (key, position)
    }

    private mutating func add(_ value: PropertyListValue) {
        let last = containers.count - 1
        guard last >= 0 else {
            root = value
            return
        }
        if let key = containers[last].pendingKey {
            containers[last].entries.append(
                PropertyListEntry(key: key.text, keyPosition: key.position, value: value))
            containers[last].pendingKey = nil
        } else {
            containers[last].values.append(value)
        }
    }
}

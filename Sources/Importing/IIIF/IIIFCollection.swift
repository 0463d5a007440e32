/// A collection of IIIF's Presentation API, version 2 or 3: its members in their order.
package struct IIIFCollection: Sendable {
    package indirect enum Member: Sendable {
        /// A manifest or a collection in another document. The label is nil if the collection states none for it.
        case reference(address: String, label: String?, isCollection: Bool)
        /// A collection whose members are in the same document.
        case nested(IIIFCollection)
        /// A page of the collection (2.1 §5.8). The members of the page belong to the collection itself.
        case page(address: String)
    }

    package let label: String?
    package let members: [Member]

    static func isCollection(_ value: JSONValue) -> Bool {
        let type = value["@type"]?.text ?? value["type"]?.text
        return type == "Collection" || type == "sc:Collection"
    }

    /// Reads a collection and those nested in it. `JSONParser` limits the depth of the recursion.
    init(_ root: JSONValue, base: SourceBase) {
        label = IIIFImporter.text(root["label"])
        var members = Self.elements(of: root).compactMap { Self.member($0, base) }
        // A paged collection names its first page, and each page names the next one.
        for key in ["first", "next"] {
            guard let page = root[key], let id = page.text ?? IIIFImporter.id(page) else { continue }
            if let address = base.address(of: id) { members.append(.page(address: address)) }
        }
        self.members = members
    }

    private static func member(_ value: JSONValue, _ base: SourceBase) -> Member? {
        if isCollection(value), !elements(of: value).isEmpty { return .nested(IIIFCollection(value, base: base)) }
        let id = value.text ?? IIIFImporter.id(value)
        return id.flatMap(base.address(of:)).map {
            .reference(
                address: $0, label: IIIFImporter.text(value["label"]), isCollection: isCollection(value))
        }
    }

    /// The elements of `items` (3.0 §3.4) or `members`. `members` replaces `collections` and `manifests` if it is
    /// present (2.1 §5.8).
    private static func elements(of root: JSONValue) -> [JSONValue] {
        if let all = (root["items"] ?? root["members"])?.elements { return all }
        return (root["collections"]?.elements ?? []) + (root["manifests"]?.elements ?? [])
    }
}

internal import Manifest

/// The properties of an XMP packet (ISO 16684-1) that describe a picture.
final class XMPPacket: MarkupHandler {
    private var values: [String: [String]] = [:]
    private var property: String?
    private var captured: [UInt8] = []
    private var language: String?

    private static let properties: Set<String> = [
        "dc:title", "dc:description", "dc:creator", "dc:subject", "dc:rights", "xmpRights:UsageTerms",
        "xmpRights:WebStatement", "cc:license", "photoshop:Credit", "photoshop:DateCreated", "xmp:Rating",
        "exif:DateTimeOriginal", "Iptc4xmpCore:AltTextAccessibility",
    ]

    init(_ packet: [UInt8]) {
        // A broken packet is read up to its fault.
        try? MarkupParser.parseXML(packet, into: self)
    }

    func text(of property: String) -> String? { values[property]?.first }

    func list(of property: String) -> [String] { values[property] ?? [] }

    func start(_ name: String, _ attributes: [String: String], line: Int) {
        if Self.properties.contains(name) {
            property = name
            captured = []
            if let address = attributes["rdf:resource"] { add(address, to: name) }
        }
        if name == "rdf:li" {
            captured = []
            language = attributes["xml:lang"]
        }
        guard name == "rdf:Description" else { return }
        for (attribute, value) in attributes where Self.properties.contains(attribute) { add(value, to: attribute) }
    }

    func end(_ name: String) {
        guard let property else { return }
        if name == "rdf:li" {
            // If the same text exists in several languages, the default one comes first.
            add(String(decoding: captured, as: UTF8.self), to: property, atFront: language == "x-default")
            captured = []
        } else if name == property {
            add(String(decoding: captured, as: UTF8.self), to: property)
            self.property = nil
        }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        if property != nil, captured.count < ImportLimits.fieldLength { captured.append(contentsOf: text) }
    }

    private func add(_ text: String, to property: String, atFront: Bool = false) {
        let text = WhiteSpace.collapsedLines(text)
        guard !text.isEmpty, values[property, default: []].count < 200 else { return }
        values[property, default: []].insert(text, at: atFront ? 0 : values[property, default: []].count)
    }
}

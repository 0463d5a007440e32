internal import CLibXML2

/// Names of the XML elements of one document, each namespace by the prefix that it usually has: documents may choose
/// any other.
struct MarkupNames {
    /// Parts of the namespaces' addresses, of which feeds have several spellings.
    private static let namespaces: [(part: String, prefix: String)] = [
        ("search.yahoo.com/mrss", "media:"), ("purl.org/dc/", "dc:"), ("rss/1.0/modules/content", "content:"),
        ("creativecommons", "cc:"), ("web.resource.org/cc", "cc:"), ("w3.org/2005/Atom", "atom:"),
        ("purl.org/atom/ns", "atom:"), ("w3.org/1999/xhtml", "xhtml:"), ("purl.org/rss/1.0/", ""),
        ("my.netscape.com/rdf", ""), ("www.itunes.com/dtds", "itunes:"), ("22-rdf-syntax-ns", "rdf:"),
        ("ns.adobe.com/photoshop", "photoshop:"), ("ns.adobe.com/xap/1.0/rights", "xmpRights:"),
        ("ns.adobe.com/xap/1.0/", "xmp:"), ("iptc.org/std/Iptc4xmpCore", "Iptc4xmpCore:"),
        ("ns.adobe.com/exif", "exif:"),
    ]

    /// The usual prefixes of the namespaces that the document has had so far, nil for one that is not known. libxml2
    /// keeps each address once, in its table of names, which lives as long as the parser: the pointer tells which one
    /// it is. An address may be long, and is searched once, not for each element.
    private var prefixes: [UnsafePointer<xmlChar>: String?] = [:]

    mutating func name(
        _ name: UnsafePointer<xmlChar>?, prefix: UnsafePointer<xmlChar>?, uri: UnsafePointer<xmlChar>?
    ) -> String {
        let local = name.map { String(cString: $0) } ?? ""
        guard let uri else { return (prefix.map { String(cString: $0) + ":" } ?? "") + local }
        return (usualPrefix(of: uri) ?? prefix.map { String(cString: $0) + ":" } ?? "other:") + local
    }

    private mutating func usualPrefix(of uri: UnsafePointer<xmlChar>) -> String? {
        if let known = prefixes[uri] { return known }
        let address = String(cString: uri)
        let prefix = Self.namespaces.first { address.contains($0.part) }?.prefix
        prefixes[uri] = .some(prefix)
        return prefix
    }
}

internal import CLibXML2

/// The names of XML elements and attributes in one document. Each namespace is written as the prefix that it usually
/// has, because a document can choose any other.
struct MarkupNames {
    /// Parts of the namespaces' addresses, which feeds spell in several ways.
    private static let namespaces: [(part: String, prefix: String)] = [
        ("search.yahoo.com/mrss", "media:"), ("purl.org/dc/", "dc:"), ("rss/1.0/modules/content", "content:"),
        ("creativecommons", "cc:"), ("web.resource.org/cc", "cc:"), ("w3.org/2005/Atom", "atom:"),
        ("purl.org/atom/ns", "atom:"), ("w3.org/1999/xhtml", "xhtml:"), ("purl.org/rss/1.0/", ""),
        ("my.netscape.com/rdf", ""), ("www.itunes.com/dtds", "itunes:"), ("22-rdf-syntax-ns", "rdf:"),
        ("ns.adobe.com/photoshop", "photoshop:"), ("ns.adobe.com/xap/1.0/rights", "xmpRights:"),
        ("ns.adobe.com/xap/1.0/", "xmp:"), ("iptc.org/std/Iptc4xmpCore", "Iptc4xmpCore:"),
        ("ns.adobe.com/exif", "exif:"),
    ]

    /// The usual prefixes of the namespaces that the document has used so far; nil if the namespace is not known.
    /// libxml2 stores each address once, in its dictionary, which lives as long as the parser, so the pointer
    /// identifies the namespace. An address can be long, so it is searched once and not for each element.
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

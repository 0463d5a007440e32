/// Takes names for people from the last part of an address.
enum FileName {
    /// The last component of a path, as it is.
    static func last(ofPath path: String) -> String {
        let component = path.utf8.split(separator: UInt8(ascii: "/")).last
        return component.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The last component of a URL's path, decoded; nil where the path has none.
    static func last(ofURL url: String) -> String? {
        guard let component = URLReference(url).path.split(separator: UInt8(ascii: "/")).last else { return nil }
        return PercentCoding.decoded(component).map(readable) ?? String(decoding: component, as: UTF8.self)
    }

    /// The host, and the port if one is written; nil if there is none.
    static func host(ofURL url: String) -> String? {
        URLReference(url).authority.map { String(decoding: URLReference.hostAndPort(of: $0), as: UTF8.self) }
    }

    /// "lake" of "lake.jpg"; ".hidden" stays.
    static func withoutExtension(_ name: String) -> String {
        let bytes = name.utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex,
            (1...5).contains(bytes.distance(from: dot, to: bytes.endIndex) - 1),
            bytes[bytes.index(after: dot)...].allSatisfy(URLReference.isLetterOrDigit)
        else { return name }
        return String(name[..<dot])
    }

    /// Percent-decoding can bring up characters that no XML has, and the feed is XML (XML 1.0 §2.2).
    private static func readable(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0x7E, 0xA0...0xFFFD, 0x10000...0x10FFFF: kept.append(scalar)
            default: break
            }
        }
        return String(kept)
    }
}

internal import Addresses

/// Derives names for people from the last part of an address.
package enum FileName {
    /// The last component of a path, unchanged.
    package static func last(ofPath path: String) -> String {
        let component = path.utf8.split(separator: UInt8(ascii: "/")).last
        return component.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The last component of a URL's path, decoded; nil if the path has none.
    ///
    /// - Parameter url: a URL, or the shown form of one that is not usable.
    package static func last(ofURL url: String) -> String? {
        let component = last(ofPath: path(of: url))
        guard !component.isEmpty else { return nil }
        return PercentEncoding.decoded(component).map(readable) ?? component
    }

    /// The host of a URL, and the port if one is written; nil if there is no host.
    static func host(ofURL url: String) -> String? {
        do throws(URLProblem) {
            return try ParsedURL(url, keepsDots: true).hostAndPort
        } catch {
            return nil
        }
    }

    private static func path(of url: String) -> String {
        if PlainURL.isPlain(url), url.utf8.last != UInt8(ascii: "/") { return url }
        do throws(URLProblem) {
            return try ParsedURL(url, keepsDots: true).path
        } catch {
            return URLScheme.of(url).map { String(url.dropFirst($0.count + 1)) } ?? url
        }
    }

    /// The name without its extension: "lake" for "lake.jpg". A name like ".hidden" is unchanged.
    package static func withoutExtension(_ name: String) -> String {
        let bytes = name.utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex,
            (1...5).contains(bytes.distance(from: dot, to: bytes.endIndex) - 1),
            bytes[bytes.index(after: dot)...].allSatisfy(URLScheme.isLetterOrDigit)
        else { return name }
        return String(name[..<dot])
    }

    /// The text without the characters that XML does not allow (XML 1.0 §2.2). Percent-decoding can produce them, and
    /// the feed is XML.
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

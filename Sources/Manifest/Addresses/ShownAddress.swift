internal import Addresses

/// The part of an address that may be shown: never a user, a password, a query or a fragment. If it is not certain
/// which part is which, everything but the scheme is left out.
package enum ShownAddress {
    /// The maximum length in characters, including the mark for what is left out.
    static let maximumLength = 200
    /// The mark for what is left out.
    package static let elision = "…"

    /// Returns the part of a URL that may be shown. The URL is given as it was written, usable or not.
    package static func url(_ text: String) -> String {
        let text = AddressSpelling.cleaned(text)
        guard let scheme = URLScheme.of(text) else {
            guard text.utf8.starts(with: "//".utf8) else { return path(text) }
            return certain("http:" + text).map { cut(String($0.text.dropFirst("http:".count))) } ?? "//\(elision)"
        }
        guard !AddressSpelling.isDrive(scheme) else { return path(text) }
        let isKnown = AddressSpelling.knownSchemes.contains(scheme)
        if let url = certain(text) { return cut(url.text) }
        if isKnown { return redacted(scheme: scheme) }
        // An unknown scheme may be the name of a user, with the password after the colon.
        let hasHost = text.utf8.dropFirst(scheme.utf8.count + 1).starts(with: "//".utf8)
        return hasHost || AddressSpelling.mayContainUserInfo(text) || scheme.utf8.count > AddressSpelling.longestScheme
            ? elision : "\(scheme):\(elision)"
    }

    /// The URL without user, password, query and fragment; nil if it is not certain which part is which.
    ///
    /// - Parameter text: the URL without invisible characters.
    private static func certain(_ text: String) -> ParsedURL? {
        do throws(URLProblem) {
            var url = try ParsedURL(text, keepsDots: true)
            let written = url.scheme + text.dropFirst(url.scheme.count)
            guard AddressCertainty.isCertain(url, written: written) else { return nil }
            (url.userInfo, url.query, url.fragment) = (nil, nil, nil)
            return url
        } catch {
            return nil
        }
    }

    /// Returns the part of a path that may be shown. The path is given as it was written.
    package static func path(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"@%?".utf8.contains($0) }
        if isPlain, text.utf8.count <= maximumLength { return text }
        let cleaned = AddressSpelling.cleaned(text)
        // A URL can contain invisible characters before or in its scheme.
        if let scheme = URLScheme.of(cleaned), AddressSpelling.knownSchemes.contains(scheme) {
            return url(cleaned)
        }
        if AddressSpelling.mayContainUserInfo(cleaned) { return elision }
        return cut(AddressSpelling.isHostWithQuery(text) ? String(text.prefix { $0 != "?" }) : text)
    }

    /// Whether every secret in a URL is in a part where secrets belong, so that the other parts may be used in names
    /// and links.
    package static func isCertain(_ text: String) -> Bool {
        PlainURL.isPlain(text)
            || AddressSpelling.cleaned(text).utf8.count == text.utf8.count && certain(text) != nil
    }

    /// Returns the part of a user's file name that may be shown: all of it, unless it might be a mistyped URL.
    package static func file(_ name: String) -> String {
        let shown = path(name)
        return shown.unicodeScalars.count >= maximumLength || !shown.hasSuffix(elision) ? name : shown
    }

    /// A message that repeats what somebody wrote, without the parts that may be a user and a password.
    package static func message(_ text: String) -> String {
        guard AddressSpelling.mayContainUserInfo(text) else { return text }
        let quote = UInt8(ascii: "'")
        let parts = text.utf8.split(separator: quote, omittingEmptySubsequences: false).map { String(Substring($0)) }
        return parts.enumerated().map { index, part in
            guard AddressSpelling.mayContainUserInfo(part) else { return part }
            return index.isMultiple(of: 2) ? redacted(part) : url(part)
        }.joined(separator: "'")
    }

    /// Shortens an address in text without quotes. The address begins with the word that contains its scheme.
    private static func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let at = AddressSpelling.lastAt(of: bytes[...]) else { return text }
        let slashes = Array("://".utf8)
        let scheme = bytes[..<at].indices.first { bytes[$0...].starts(with: slashes) }
        let start = bytes[..<(scheme ?? at)].lastIndex { $0 <= 0x20 }.map { $0 + 1 } ?? 0
        let end = bytes[at...].firstIndex { $0 <= 0x20 } ?? bytes.endIndex
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let address = part(start..<end)
        // The colon can belong to a position in a manifest, and the word after it can be harmless.
        guard AddressSpelling.mayContainUserInfo(address) else { return text }
        return part(0..<start) + url(address) + part(end..<bytes.endIndex)
    }

    /// Returns a scheme and the mark for what is left out.
    static func redacted(scheme: String) -> String {
        "\(scheme):\(AddressSpelling.hierarchical.contains(scheme) ? "//" : "")\(elision)"
    }

    /// Whether `shown`, a result of this type, contains nothing but a scheme.
    package static func isRedacted(_ shown: String) -> Bool {
        shown == elision || shown.hasSuffix(":" + elision) || shown.hasSuffix("//" + elision)
    }

    /// The beginning of a long text. Control characters, which could manipulate a terminal, are replaced.
    private static func cut(_ text: String) -> String {
        if text.utf8.count <= maximumLength, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        let isTooLong = text.unicodeScalars.dropFirst(maximumLength).first != nil
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(isTooLong ? maximumLength - 1 : maximumLength) {
            shown.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(shown) + (isTooLong ? elision : "")
    }
}

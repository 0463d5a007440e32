/// The part of an address that may be shown: never user, password, query or fragment. If it isn't certain which part is
/// which, all but the scheme is left out.
package enum ShownAddress {
    /// Characters, the mark for what is left out included.
    static let maximumLength = 200
    /// Stands for what is left out.
    package static let elision = "…"

    /// Returns what may be shown of a URL as it was written, usable or not.
    package static func url(_ text: String) -> String {
        let text = AddressSpelling.cleaned(text)
        var reference = URLReference(text)
        guard let scheme = reference.lowercasedScheme else {
            return text.utf8.starts(with: "//".utf8) ? withoutScheme(reference) : path(text)
        }
        guard !AddressSpelling.isDrive(scheme) else { return path(text) }
        // A scheme that nobody knows may be a user's name, with the password behind the colon.
        guard reference.authority != nil || AddressSpelling.knownSchemes.contains(scheme) else {
            return AddressSpelling.mayHoldUser(text) || scheme.utf8.count > AddressSpelling.longestScheme
                ? elision : "\(scheme):\(elision)"
        }
        guard AddressCertainty.isCertain(reference, scheme: scheme) else {
            guard AddressSpelling.knownSchemes.contains(scheme) else { return elision }
            return hidden(scheme: scheme)
        }
        reference.query = nil
        reference.fragment = nil
        reference.authority = reference.authority.map { URLReference.hostAndPort(of: $0) }
        return cut(reference.text)
    }

    /// Returns what may be shown of a path as it was written.
    package static func path(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"@%?".utf8.contains($0) }
        if isPlain, text.utf8.count <= maximumLength { return text }
        let cleaned = AddressSpelling.cleaned(text)
        // A URL may have what can't be seen before its scheme or in it.
        if let scheme = URLReference(cleaned).lowercasedScheme, AddressSpelling.knownSchemes.contains(scheme) {
            return url(cleaned)
        }
        if AddressSpelling.mayHoldUser(cleaned) { return elision }
        return cut(AddressSpelling.isHostWithQuery(text) ? String(text.prefix { $0 != "?" }) : text)
    }

    /// Whether all that is a secret in a URL is where it belongs, so that the rest may be used in names and links.
    package static func isCertain(_ text: String) -> Bool {
        guard AddressSpelling.cleaned(text).utf8.count == text.utf8.count else { return false }
        let reference = URLReference(text)
        guard let scheme = reference.lowercasedScheme, reference.authority != nil else { return false }
        return AddressCertainty.isCertain(reference, scheme: scheme)
    }

    /// Returns what may be shown of a file name given by the user: all of it, unless it might be a mistyped URL.
    package static func file(_ name: String) -> String {
        let shown = path(name)
        return shown.unicodeScalars.count >= maximumLength || !shown.hasSuffix(elision) ? name : shown
    }

    /// A message that repeats what somebody wrote, without what may be a user and a password in it.
    package static func message(_ text: String) -> String {
        guard AddressSpelling.mayHoldUser(text) else { return text }
        let quote = UInt8(ascii: "'")
        let parts = text.utf8.split(separator: quote, omittingEmptySubsequences: false).map { String(Substring($0)) }
        return parts.enumerated().map { index, part in
            guard AddressSpelling.mayHoldUser(part) else { return part }
            return index.isMultiple(of: 2) ? words(part) : url(part)
        }.joined(separator: "'")
    }

    /// Shortens addresses in text without quotes: an address begins with the word that has its scheme.
    private static func words(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let at = AddressSpelling.lastAt(of: bytes[...]) else { return text }
        let slashes = Array("://".utf8)
        let scheme = bytes[..<at].indices.first { bytes[$0...].starts(with: slashes) }
        let start = bytes[..<(scheme ?? at)].lastIndex { $0 <= 0x20 }.map { $0 + 1 } ?? 0
        let end = bytes[at...].firstIndex { $0 <= 0x20 } ?? bytes.endIndex
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let address = part(start..<end)
        // The place in a manifest may stand before something harmless.
        guard AddressSpelling.mayHoldUser(address) else { return text }
        return part(0..<start) + url(address) + part(end..<bytes.endIndex)
    }

    /// Returns a scheme and the mark for what is left out.
    static func hidden(scheme: String) -> String {
        "\(scheme):\(AddressSpelling.hierarchical.contains(scheme) ? "//" : "")\(elision)"
    }

    /// Whether `shown`, a result of this type, has nothing but a scheme.
    package static func isHidden(_ shown: String) -> Bool {
        shown == elision || shown.hasSuffix(":" + elision) || shown.hasSuffix("//" + elision)
    }

    private static func withoutScheme(_ reference: URLReference) -> String {
        var reference = reference
        guard AddressCertainty.isCertain(reference, scheme: "http") else { return "//\(elision)" }
        reference.query = nil
        reference.fragment = nil
        reference.authority = reference.authority.map { URLReference.hostAndPort(of: $0) }
        return cut(reference.text)
    }

    /// The beginning of a long text. Control characters, which could play tricks on a terminal, are replaced.
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

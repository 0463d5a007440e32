/// What may be shown of an address: never user, password, query or fragment.
enum ShownAddress {
    /// Characters, the mark for what is left out included.
    static let maximumLength = 200

    /// Of a URL as it was written, usable or not.
    static func url(_ text: String) -> String {
        var reference = URLReference(text)
        reference.query = nil
        reference.fragment = nil
        if let authority = reference.authority {
            reference.authority = URLReference.hostAndPort(of: authority)
        } else if let at = reference.path.lastIndex(of: UInt8(ascii: "@")) {
            // With the slashes forgotten, user and password are in the path.
            reference.path = reference.path[(at + 1)...]
        }
        return path(reference.text)
    }

    /// Of a path as it was written. Control characters, which could play tricks on a terminal, are replaced.
    static func path(_ text: String) -> String {
        if text.utf8.count <= maximumLength, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        let isTooLong = text.unicodeScalars.dropFirst(maximumLength).first != nil
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(isTooLong ? maximumLength - 1 : maximumLength) {
            shown.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(shown) + (isTooLong ? "…" : "")
    }
}

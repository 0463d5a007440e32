/// The parts of a URL or of a relative reference to one (RFC 3986 §4.1), as bytes: for Swift's Characters a slash
/// before a combining mark would not be a slash.
struct URLReference {
    typealias Part = ArraySlice<UInt8>

    var scheme: Part?
    var authority: Part?
    var path: Part
    var query: Part?
    var fragment: Part?

    /// Any text has these parts: the regular expression of RFC 3986 appendix B, with the syntax of schemes from §3.1.
    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        scheme = Self.takeScheme(&rest)
        if let start = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[(start + 1)...]
            rest = rest[..<start]
        }
        if let start = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(start + 1)...]
            rest = rest[..<start]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            authority = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest.dropFirst(authority?.count ?? 0)
        }
        path = rest
    }

    var lowercasedScheme: String? {
        scheme.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    var text: String {
        var bytes: [UInt8] = []
        if let scheme { bytes += scheme + [UInt8(ascii: ":")] }
        if let authority { bytes += "//".utf8 + Array(authority) }
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        if let fragment { bytes += [UInt8(ascii: "#")] + fragment }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Resolves this reference against the absolute URL `base` (RFC 3986 §5.2.2).
    func resolved(against base: URLReference) -> URLReference {
        var target = self
        if scheme == nil {
            target.scheme = base.scheme
            if authority == nil {
                target.authority = base.authority
                if path.isEmpty {
                    target.path = base.path
                    target.query = query ?? base.query
                } else if path.first != UInt8(ascii: "/") {
                    target.path = base.folder + path
                }
            }
        }
        if !path.isEmpty || authority != nil { target.path = Self.withoutDotSegments(target.path) }
        return target
    }

    /// Without the user and password that may stand before the host.
    static func hostAndPort(of authority: Part) -> Part {
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return authority }
        return authority[(at + 1)...]
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The path up to its last slash, which relative paths are joined to (RFC 3986 §5.2.3).
    private var folder: Part {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else {
            return authority == nil ? [] : [UInt8(ascii: "/")]
        }
        return path[...slash]
    }

    private static func takeScheme(_ text: inout Part) -> Part? {
        guard let first = text.first, isLetter(first) else { return nil }
        let scheme = text.prefix { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
        guard scheme.endIndex < text.endIndex, text[scheme.endIndex] == UInt8(ascii: ":") else { return nil }
        text = text[(scheme.endIndex + 1)...]
        return scheme
    }

    /// RFC 3986 §5.2.4, for the paths of URLs with an authority: they begin with a slash or are empty.
    private static func withoutDotSegments(_ path: Part) -> Part {
        var segments: [Part] = []
        let all = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in zip(all.indices, all) {
            let isLast = index == all.endIndex - 1
            switch segment {
            case _ where segment.elementsEqual(".".utf8):
                if isLast { segments.append([]) }
            case _ where segment.elementsEqual("..".utf8):
                _ = segments.popLast()
                if isLast { segments.append([]) }
            default: segments.append(segment)
            }
        }
        return segments.reduce(into: []) { $0 += [UInt8(ascii: "/")] + $1 }
    }
}

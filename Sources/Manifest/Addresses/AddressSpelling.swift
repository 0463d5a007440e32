internal import Addresses

/// The ways in which people and their tools write the significant characters of an address: at signs and colons in full
/// width or percent-encoded, and invisible characters around a scheme.
enum AddressSpelling {
    /// The schemes whose addresses have a host after two slashes.
    static let hierarchical: Set<String> = [
        "http", "https", "ftp", "ftps", "sftp", "ws", "wss", "s3", "gs", "ssh", "git", "smb", "nfs", "dav", "davs",
        "webdav", "file",
    ]
    /// The schemes that are not the names of users.
    static let knownSchemes = hierarchical.union([
        "data", "javascript", "blob", "mailto", "about", "tel", "urn", "cid", "magnet", "vbscript", "view-source",
        "jar",
    ])
    /// The length of the longest scheme in bytes. A longer text before a colon is not shown.
    static let longestScheme = 32

    /// The spellings of at signs and of colons, each in UTF-8.
    private static let ats = ["@", "＠", "﹫"].map { Array($0.utf8) }
    private static let colons = [":", "：", "﹕", "︓", "꞉", "∶"].map { Array($0.utf8) }

    /// The text without invisible characters: white space at its ends, formatting characters, and control characters.
    /// Browsers ignore tabs and line breaks anywhere in a URL, and copied text can contain a byte order mark.
    static func cleaned(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .format, .lineSeparator, .paragraphSeparator: continue
            case .control where scalar.value < 0x20: continue
            default: kept.append(scalar)
            }
        }
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        guard let first = kept.firstIndex(where: { !isSpace($0) }), let last = kept.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(kept[first...last])
    }

    /// The URL without the invisible characters before or in its scheme; nil if there are none, or if the scheme is not
    /// known.
    static func withVisibleScheme(_ text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let written = text[..<colon]
        let scheme = cleaned(String(written))
        guard scheme.utf8.count < written.utf8.count, knownSchemes.contains(scheme.lowercased()) else { return nil }
        return scheme + text[colon...]
    }

    /// Whether the scheme is a drive of Windows, which is a letter before a colon.
    static func isDrive(_ scheme: String) -> Bool { scheme.utf8.count == 1 }

    /// Whether a user and a password may precede an @.
    static func mayContainUserInfo(_ text: String) -> Bool { mayContainUserInfo(Array(text.utf8)[...]) }

    static func mayContainUserInfo(_ text: ArraySlice<UInt8>) -> Bool { hasColonBeforeAt(text) }

    static func hasAt(_ text: ArraySlice<UInt8>) -> Bool { lastAt(of: text) != nil }

    static func hasColon(_ text: ArraySlice<UInt8>) -> Bool { text.indices.contains { isColon(at: $0, in: text) } }

    static func hasColonBeforeAt(_ text: ArraySlice<UInt8>) -> Bool {
        guard let at = lastAt(of: text) else { return false }
        return hasColon(text[..<at])
    }

    /// Whether a path looks like the host, the path and the query of a URL whose scheme was left out.
    static func isHostWithQuery(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")), bytes[mark...].contains(UInt8(ascii: "=")),
            let slash = bytes[..<mark].firstIndex(of: UInt8(ascii: "/"))
        else { return false }
        let host = bytes[..<slash].prefix { $0 != UInt8(ascii: ":") }
        return host.contains(UInt8(ascii: ".")) && host.first != UInt8(ascii: ".")
            && host.allSatisfy { URLScheme.isLetterOrDigit($0) || ".-".utf8.contains($0) }
    }

    static func lastAt(of text: ArraySlice<UInt8>) -> Int? {
        // Most addresses contain none of these characters.
        guard text.contains(where: { "@%".utf8.contains($0) || $0 >= 0x80 }) else { return nil }
        return text.indices.last { isAt($0, in: text) }
    }

    private static func isAt(_ index: Int, in text: ArraySlice<UInt8>) -> Bool {
        spells(ats, at: index, in: text) || isEncoded("40", at: index, in: text)
    }

    private static func isColon(at index: Int, in text: ArraySlice<UInt8>) -> Bool {
        spells(colons, at: index, in: text) || isEncoded("3a", at: index, in: text)
    }

    private static func spells(_ spellings: [[UInt8]], at index: Int, in text: ArraySlice<UInt8>) -> Bool {
        spellings.contains { $0.first == text[index] && text[index...].starts(with: $0) }
    }

    /// Whether the character with these hexadecimal digits is percent-encoded at the index, even repeatedly: %2540.
    private static func isEncoded(_ digits: String, at index: Int, in text: ArraySlice<UInt8>) -> Bool {
        guard text[index] == UInt8(ascii: "%") else { return false }
        var rest = text[(index + 1)...]
        while rest.starts(with: "25".utf8) { rest = rest.dropFirst(2) }
        return rest.prefix(2).map { $0 | 0x20 }.elementsEqual(digits.utf8.map { $0 | 0x20 })
    }
}

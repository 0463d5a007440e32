import CLibCurl
import Foundation

/// The secrets that other parsers find in an address. They share no code with the parser of gallerygen.
enum AddressReadings {
    /// User names, passwords, queries and fragments, as they are written in the text. A text without a scheme, or with
    /// a drive letter, may be a path, so its question marks and number signs begin no secret.
    static func secrets(in text: String) -> Set<String> {
        flags.reduce(into: browser(text)) { $0.formUnion(curl(text, $1)) }
    }

    private static let flags: [CInt] = [
        0, CURLU_NON_SUPPORT_SCHEME, CURLU_GUESS_SCHEME, CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME,
        CURLU_NON_SUPPORT_SCHEME | CURLU_ALLOW_SPACE | CURLU_NO_AUTHORITY, CURLU_DEFAULT_SCHEME | CURLU_ALLOW_SPACE,
    ]

    private static func curl(_ text: String, _ flags: CInt) -> [String] {
        guard let url = curl_url() else { fatalError("libcurl has no memory") }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(flags)) == CURLUE_OK else { return [] }
        let ends = scheme(of: text[...]) == nil ? [] : [CURLUPART_QUERY, CURLUPART_FRAGMENT]
        let parts = [CURLUPART_USER, CURLUPART_PASSWORD] + ends
        return parts.compactMap { part in
            var value: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &value, 0) == CURLUE_OK, let value else { return nil }
            defer { curl_free(value) }
            return String(cString: value)
        }
    }

    /// The parser of the URL Standard (§4.4), which is more lenient than any other, mostly with white space and
    /// slashes.
    private static func browser(_ text: String) -> Set<String> {
        var rest = Array(text.unicodeScalars)[...]
        rest = rest.drop { $0.value <= 0x20 }
        while let last = rest.last, last.value <= 0x20 { rest.removeLast() }
        rest.removeAll { "\t\n\r".unicodeScalars.contains($0) }
        guard let scheme = scheme(of: Substring(string(rest))) else { return [] }
        rest = rest.dropFirst(scheme.unicodeScalars.count + 1)
        var secrets: Set<String> = []
        for mark: Unicode.Scalar in ["#", "?"] {
            guard let start = rest.firstIndex(of: mark) else { continue }
            secrets.insert(string(rest[(start + 1)...]))
            rest = rest[..<start]
        }
        var slashes: Set<Unicode.Scalar> = ["/"]
        if ["http", "https", "ftp", "ws", "wss"].contains(scheme) {
            slashes.insert("\\")
            rest = rest.drop { slashes.contains($0) }
        } else if rest.starts(with: "//".unicodeScalars) {
            rest = rest.dropFirst(2)
        } else {
            return secrets
        }
        let authority = rest.prefix { !slashes.contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return secrets }
        let parts = authority[..<at].split(separator: ":", maxSplits: 1)
        return secrets.union(parts.map(string))
    }

    /// The scheme (RFC 3986, section 3.1); nil for a drive letter.
    private static func scheme(of text: Substring) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.utf8.first, isLetter(first), scheme.utf8.count > 1, scheme.utf8.allSatisfy(isInScheme)
        else { return nil }
        return scheme.lowercased()
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }
}

/// An address that is built from parts as the bytes of an input choose. Its secrets occur nowhere else in it.
struct AddressInput {
    static let password = "S3CRET"
    static let query = "QU3RY"
    static let fragment = "FR4GM"

    /// The whole address.
    let text: String
    /// The parts that must not be shown.
    let secrets: [String]

    /// - Returns: nil if a secret occurs in the bytes of the input.
    init?(_ bytes: ArraySlice<UInt8>) {
        var choices = Choices(bytes: bytes)
        let before = choices.pick(["", "", "", " ", "\u{FEFF}", "\t", "\u{200B}", "\u{A0}"])
        let scheme = choices.pick(Self.schemes)
        // Without slashes, only an address with a valid scheme is a URL. Any other is the path of a file.
        let isPlain = before.isEmpty && Self.plainSchemes.contains(scheme)
        let colon = choices.pick([":", ":", ":", " :", ": "])
        let slashes = choices.pick(["//", "//", "/", "///", "\\\\", "////", "/\\", isPlain && colon == ":" ? "" : "//"])
        let user = choices.text(withoutAny: "/\\?#")
        let separator = choices.pick([":", ":", "%3A", ""])
        // A slash before the "@" makes the text a path that contains "@", unless there is a colon before the slash.
        let mayHaveSlash = separator == ":"
        let (first, last) = (
            choices.text(withoutAny: mayHaveSlash ? "" : "/\\?#"), choices.text(withoutAny: mayHaveSlash ? "" : "/\\?#")
        )
        let at = choices.pick(["@", "@", "%40"])
        let host = choices.pick(["host.example", "host.example", "127.0.0.1", "[::1]", "höst.example", "h"])
        let port = choices.pick(["", "", ":80", ":", ":x"])
        let path = choices.pick(["", "/"]) + choices.text(withoutAny: "")
        let query = choices.pick(["", "?", "?a="])
        let fragment = choices.pick(["", "#"])
        let written = [before, user, first, last, path]
        guard written.allSatisfy(Self.isHarmless), Self.isHarmless(user + first), Self.isHarmless(last + path) else {
            return nil
        }
        var text = before + scheme + colon + slashes + user + separator
        text += first + Self.password + last + at + host + port
        var secrets = [Self.password]
        if !path.isEmpty, !path.hasPrefix("/") { text += "/" }
        text += path
        if !query.isEmpty {
            text += query + Self.query
            secrets.append(Self.query)
        }
        if !fragment.isEmpty {
            text += fragment + Self.fragment
            secrets.append(Self.fragment)
        }
        (self.text, self.secrets) = (text, secrets)
    }

    private static let plainSchemes = ["http", "https", "HTTP", "ftp"]
    private static let schemes = plainSchemes + ["ht tp", "h\u{FEFF}ttps", "http ", "git+ssh", "hxxp", "https\u{200B}"]

    private static func isHarmless(_ text: String) -> Bool {
        let plain = text.uppercased()
        return ![password, query, fragment].contains { plain.contains($0) }
    }
}

/// Makes choices with the bytes of an input, one after another. Without bytes, the first option is chosen.
private struct Choices {
    var bytes: ArraySlice<UInt8>

    mutating func pick(_ options: [String]) -> String {
        options[Int(bytes.popFirst() ?? 0) % options.count]
    }

    /// A short text of the next bytes.
    mutating func text(withoutAny excluded: String) -> String {
        let count = Int(bytes.popFirst() ?? 0) % 12
        let taken = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return String(decoding: taken.filter { $0 != 0 && !excluded.utf8.contains($0) }, as: UTF8.self)
    }
}

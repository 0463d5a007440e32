/// The address of the text of a licence that a manifest names.
enum LicenseLink {
    /// - Returns: nil for a text that is neither an http or https address nor the usual short name of a Creative
    ///   Commons licence, such as "CC BY-SA 4.0".
    static func href(of license: String) -> String? { isAddress(license) ? license : address(of: license) }

    static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return (start.hasPrefix("https://") || start.hasPrefix("http://")) && !text.contains { $0.isWhitespace }
    }

    /// The address of a Creative Commons deed (creativecommons.org/licenses), whose path has the kind and the version
    /// of the licence.
    static func address(of name: String) -> String? {
        let words = name.lowercased().split(separator: " ")
        if words.count == 2, words == ["cc0", "1.0"] { return "https://creativecommons.org/publicdomain/zero/1.0/" }
        guard words.count == 3, words[0] == "cc", kinds.contains(String(words[1])),
            ["1.0", "2.0", "2.5", "3.0", "4.0"].contains(words[2])
        else { return nil }
        return "https://creativecommons.org/licenses/\(words[1])/\(words[2])/"
    }

    private static let kinds = ["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"]
}

/// Texts in a choice of languages: an object whose keys are languages (BCP 47), such as `{"de": "See", "en": "Lake"}`.
struct LanguageChoice {
    private let members: [(key: String, value: JSONValue)]

    init(_ members: [(key: String, value: JSONValue)]) {
        self.members = members
    }

    /// The values in the order of preference: English, then a text that is in no language or in the default one, then
    /// the others in the order of the object.
    var values: [JSONValue] {
        members.enumerated()
            .sorted { (Self.rank($0.element.key), $0.offset) < (Self.rank($1.element.key), $1.offset) }
            .map(\.element.value)
    }

    private static func rank(_ key: String) -> Int {
        if key == "en" || key.hasPrefix("en-") || key.hasPrefix("en_") { return 0 }
        return unspecified.contains(key) ? 1 : 2
    }

    private static let unspecified: Set = ["none", "@none", "default", "und"]

    /// Whether all keys are those of languages: two letters, and perhaps a region or a script. Indonesian alone is not
    /// enough, because `id` is also the usual key of an identifier.
    var isCertain: Bool {
        members.contains { $0.key != "id" } && members.allSatisfy { Self.isLanguage($0.key) }
    }

    private static func isLanguage(_ key: String) -> Bool {
        if unspecified.contains(key) { return true }
        let parts = key.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        return parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isLetter } && (2...4).contains($0.count) }
            && parts[0].count == 2 && parts[0] == parts[0].lowercased()
    }
}

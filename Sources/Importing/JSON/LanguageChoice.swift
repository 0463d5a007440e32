internal import Foundation

/// Texts in a choice of languages: an object whose keys are languages (BCP 47), such as `{"de": "See", "en": "Lake"}`.
struct LanguageChoice {
    private let members: [(key: String, value: JSONValue)]

    init(_ members: [(key: String, value: JSONValue)]) {
        self.members = members
    }

    /// The values in the order of preference: English, then a text that is in no language or in the default one, then
    /// the others in the order of the object. A value under `id` comes last, because in JSON it is rarely Indonesian.
    var values: [JSONValue] {
        members.enumerated()
            .sorted { (Self.rank($0.element.key), $0.offset) < (Self.rank($1.element.key), $1.offset) }
            .map(\.element.value)
    }

    private static func rank(_ key: String) -> Int {
        switch key {
        case "en": 0
        case _ where key.hasPrefix("en-") || key.hasPrefix("en_") || key == "eng": 1
        case _ where unspecified.contains(key): 2
        case "id": 4
        default: 3
        }
    }

    private static let unspecified: Set = ["none", "@none", "default", "x-default", "und"]

    /// Whether all values are texts or blank, and all keys those of languages: a code of ISO 639-1, perhaps with a
    /// region, a script or the like, or a key for a text in no language. At least one text must have a key with hardly
    /// any other use.
    var isCertain: Bool {
        members.allSatisfy { Self.isLanguage($0.key) && Self.isText($0.value) }
            && members.contains { !Self.ambiguous.contains(Self.parts(of: $0.key)[0]) && !$0.value.isBlank }
    }

    private static func isText(_ value: JSONValue) -> Bool {
        value.isBlank || value.list.allSatisfy { $0.text != nil }
    }

    private static func isLanguage(_ key: String) -> Bool {
        if unspecified.contains(key) { return true }
        let parts = parts(of: key)
        return codes.contains(parts[0])
            && parts.dropFirst().allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }

    private static func parts(of key: String) -> [Substring] {
        key.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    }

    /// The codes that are more often the key of something else.
    private static let ambiguous: Set<Substring> = ["am", "id", "is", "my", "no", "so", "to"]

    private static let codes = Set(
        Locale.LanguageCode.isoLanguageCodes.map { Substring($0.identifier) }.filter { $0.count == 2 })
}

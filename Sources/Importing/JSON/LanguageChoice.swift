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

    private static let codes = Set<Substring>(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el \
        en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu \
        ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na \
        nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so \
        sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """.split(separator: " "))
}

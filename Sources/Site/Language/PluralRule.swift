/// The plural forms that languages distinguish (CLDR, "Language Plural Rules").
enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other
}

/// The rule that gives the plural form for a number in a language: the cardinal rules of CLDR 45, for whole numbers.
struct PluralRule: Sendable {
    /// The plural forms of the language.
    let categories: [PluralCategory]
    let category: @Sendable (Int) -> PluralCategory

    /// - Parameter language: a tag of BCP 47. A language that is not listed here gets the rule of English, which most
    ///   of these languages have in CLDR.
    init(language: String) {
        let parts = language.lowercased().split(separator: "-")
        let region = parts.dropFirst().first { $0.count == 2 }
        switch parts.first.map(String.init) ?? "" {
        // European Portuguese has another rule than Brazilian Portuguese.
        case "pt" where region == "pt": self = .romance(ones: 1...1)
        case "ar": self = .arabic
        case "ja", "zh", "yue", "ko", "th", "vi", "id", "in", "ms", "jv", "su", "lo", "my", "km", "bo", "dz", "wo",
            "yo":
            self = .none
        case "es", "it", "ca": self = .romance(ones: 1...1)
        case "fr", "pt": self = .romance(ones: 0...1)
        case "ru", "uk", "be": self = .eastSlavic
        case "sr", "hr", "bs", "sh": self = .southSlavic
        case "pl": self = .polish
        case "cs", "sk": self = .czech
        case "he", "iw": self = .hebrew
        case "am", "as", "bn", "fa", "gu", "hi", "kn", "zu", "hy", "ff", "kab", "ln", "mg", "nso", "pa", "ti", "wa",
            "si":
            self = .upToOne
        case "sl": self = .slovenian
        case "lv": self = .latvian
        case "is", "mk": self = .icelandic
        case "ga": self = .irish
        case "cy": self = .welsh
        case "mt": self = .maltese
        case "fil", "tl": self = .filipino
        case "ro", "mo": self = .romanian
        case "lt": self = .lithuanian
        default: self = .english
        }
    }

    private init(_ categories: [PluralCategory], _ category: @escaping @Sendable (Int) -> PluralCategory) {
        self.categories = categories
        self.category = category
    }

    private static let english = PluralRule([.one, .other]) { $0 == 1 ? .one : .other }
    private static let none = PluralRule([.other]) { _ in .other }
    private static let hebrew = PluralRule([.one, .two, .other]) { $0 == 1 ? .one : $0 == 2 ? .two : .other }
    private static let czech = PluralRule([.one, .few, .other]) {
        $0 == 1 ? .one : (2...4).contains($0) ? .few : .other
    }

    private static let upToOne = PluralRule([.one, .other]) { $0 <= 1 ? .one : .other }
    private static let icelandic = PluralRule([.one, .other]) { $0 % 10 == 1 && $0 % 100 != 11 ? .one : .other }
    private static let filipino = PluralRule([.one, .other]) { [4, 6, 9].contains($0 % 10) ? .other : .one }

    private static let slovenian = PluralRule([.one, .two, .few, .other]) { number in
        switch number % 100 {
        case 1: .one
        case 2: .two
        case 3, 4: .few
        default: .other
        }
    }

    private static let latvian = PluralRule([.zero, .one, .other]) { number in
        if number % 10 == 0 || (11...19).contains(number % 100) { return .zero }
        return number % 10 == 1 ? .one : .other
    }

    private static let irish = PluralRule([.one, .two, .few, .many, .other]) { number in
        switch number {
        case 1: .one
        case 2: .two
        case 3...6: .few
        case 7...10: .many
        default: .other
        }
    }

    private static let welsh = PluralRule([.zero, .one, .two, .few, .many, .other]) { number in
        switch number {
        case 0: .zero
        case 1: .one
        case 2: .two
        case 3: .few
        case 6: .many
        default: .other
        }
    }

    private static let maltese = PluralRule([.one, .two, .few, .many, .other]) { number in
        switch (number, number % 100) {
        case (1, _): .one
        case (2, _): .two
        case (0, _), (_, 3...10): .few
        case (_, 11...19): .many
        default: .other
        }
    }

    private static let arabic = PluralRule([.zero, .one, .two, .few, .many, .other]) { number in
        switch (number, number % 100) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }

    private static func romance(ones: ClosedRange<Int>) -> PluralRule {
        PluralRule([.one, .many, .other]) { number in
            ones.contains(number) ? .one : number != 0 && number % 1_000_000 == 0 ? .many : .other
        }
    }

    /// Whether a number takes the form "few" in Slavic languages: it ends in 2 to 4, but not in 12 to 14.
    private static func isSlavicFew(_ number: Int) -> Bool {
        (2...4).contains(number % 10) && !(12...14).contains(number % 100)
    }

    private static let eastSlavic = PluralRule([.one, .few, .many, .other]) { number in
        if number % 10 == 1 && number % 100 != 11 { return .one }
        return isSlavicFew(number) ? .few : .many
    }

    private static let southSlavic = PluralRule([.one, .few, .other]) { number in
        if number % 10 == 1 && number % 100 != 11 { return .one }
        return isSlavicFew(number) ? .few : .other
    }

    private static let polish = PluralRule([.one, .few, .many, .other]) { number in
        if number == 1 { return .one }
        return isSlavicFew(number) ? .few : .many
    }

    private static let romanian = PluralRule([.one, .few, .other]) { number in
        if number == 1 { return .one }
        return number == 0 || (1...19).contains(number % 100) ? .few : .other
    }

    private static let lithuanian = PluralRule([.one, .few, .many, .other]) { number in
        guard !(11...19).contains(number % 100) else { return .other }
        switch number % 10 {
        case 1: return .one
        case 2...9: return .few
        default: return .other
        }
    }
}

internal import PhotoModel

/// A link with its address and its text.
final class LinkView: TemplateContext {
    let href: String
    let name: String

    init(href: String, name: String = "") {
        self.href = href
        self.name = name
    }

    static let vocabulary = TemplateSchema<LinkView>([
        "href": .text { $0.href },
        "name": .text { $0.name },
    ])
}

/// A number of photos. Templates choose the plural form of the words around it by its flags.
final class CountView: TemplateContext {
    private let number: Int
    private let language: PageLanguage

    init(_ number: Int, _ language: PageLanguage) {
        self.number = number
        self.language = language
    }

    /// - Returns: nil if there is no photo.
    convenience init?(present number: Int, _ language: PageLanguage) {
        guard number > 0 else { return nil }
        self.init(number, language)
    }

    private func has(_ category: PluralCategory) -> Bool { language.plural.category(number) == category }

    static let vocabulary = TemplateSchema<CountView>([
        "number": .text { $0.language.number($0.number) },
        "digits": .number { $0.number },
        "isZero": .flag { $0.number == 0 || $0.has(.zero) },
        "isOne": .flag { $0.has(.one) },
        "isTwo": .flag { $0.has(.two) },
        "isFew": .flag { $0.has(.few) },
        "isMany": .flag { $0.has(.many) },
        "isOther": .flag { $0.has(.other) },
    ])
}

/// A point in time, in a machine-readable form and in the language of the page.
final class TimeView: TemplateContext {
    /// The time as RFC 3339; nil if the manifest has some other text.
    let datetime: String?
    let text: String

    /// A timestamp as "2 January 2026, 03:04 UTC".
    init(_ timestamp: Timestamp, _ language: PageLanguage) {
        let datetime = timestamp.description
        self.datetime = datetime
        text = language.time(datetime)
    }

    /// The date in a manifest: any text, or RFC 3339. Only the date is shown if the time is midnight.
    init(manifestDate: String, _ language: PageLanguage) {
        if Timestamp(manifestDate) != nil {
            datetime = manifestDate
            text = manifestDate.hasSuffix("T00:00:00Z") ? language.date(manifestDate) : language.time(manifestDate)
        } else {
            datetime = nil
            text = manifestDate
        }
    }

    /// The time that a camera recorded, without a time zone: "2025-08-17T14:03:22".
    init(local: String, _ language: PageLanguage) {
        datetime = local
        text = language.localTime(local)
    }

    static let vocabulary = TemplateSchema<TimeView>([
        "datetime": .text { $0.datetime },
        "text": .text { $0.text },
    ])
}

/// Why a photo failed or could not be refreshed.
final class ReasonView: TemplateContext {
    let reason: Reason
    let language: PageLanguage

    init(_ reason: Reason, _ language: PageLanguage) {
        self.reason = reason
        self.language = language
    }

    static let vocabulary = TemplateSchema<ReasonView>([
        "code": .text { $0.reason.code.rawValue },
        "message": .text { $0.language.sentence($0.reason) },
    ])
}

/// A mark of a photo: its code, its word, since when, and why.
final class MarkView: TemplateContext {
    let mark: PhotoMark
    let language: PageLanguage

    init(_ mark: PhotoMark, _ language: PageLanguage) {
        self.mark = mark
        self.language = language
    }

    static let vocabulary = TemplateSchema<MarkView>([
        "code": .text { $0.mark.code.rawValue },
        "label": .text { $0.language.string("state." + $0.mark.code.rawValue) },
        "since": .object { TimeView($0.mark.since, $0.language) },
        "message": .text { $0.language.sentence($0.mark) },
    ])
}

/// Since when the picture could not be refreshed, and why.
final class StaleView: TemplateContext {
    let stale: Stale
    let language: PageLanguage

    init(_ stale: Stale, _ language: PageLanguage) {
        self.stale = stale
        self.language = language
    }

    static let vocabulary = TemplateSchema<StaleView>(
        with: { ReasonView($0.stale.reason, $0.language) },
        ["since": .object { TimeView($0.stale.since, $0.language) }])
}

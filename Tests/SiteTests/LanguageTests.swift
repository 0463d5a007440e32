import Foundation
import PhotoModel
import Site
import Testing

@Suite("The language of the pages")
struct LanguageTests {
    private static let translated = ["de", "es", "ar"]

    @Test(
        "A language with a region has the words of the language; an unknown language has English words and is reported")
    func choice() throws {
        func words(_ language: String) throws -> String { try Self.site([], language: language).text("index.html") }
        #expect(try words("de").contains("Noch keine Fotos."))
        #expect(try words("de-AT").contains("Noch keine Fotos."))
        #expect(try words("ES-mx").contains("Todavía no hay fotos."))
        #expect(try words("fr").contains("No photos yet."))
        #expect(try words("fr").contains("<html lang=\"fr\" data-root"))
        #expect(TemplateSet(language: "de-AT").hasStrings(of: "de-AT"))
        #expect(!TemplateSet(language: "fr").hasStrings(of: "fr"))
    }

    @Test("The built-in templates can be parsed in all languages")
    func parsing() throws {
        let languages = TemplateSet.builtIn.keys.filter { $0.hasPrefix("strings/") }.map { $0.dropFirst(8).dropLast(4) }
        #expect(Set(languages) == Set(["en"] + Self.translated.map { $0[...] }))
        for language in languages {
            // An override that changes nothing visible has the files parsed at once.
            let extra = ["unused.mustache": [UInt8]()]
            #expect(throws: Never.self) { try TemplateSet(overrides: extra, language: String(language)) }
        }
    }

    @Test("Arabic pages are laid out from right to left, and no others")
    func direction() throws {
        for (language, isRightToLeft) in [("ar", true), ("ar-EG", true), ("de", false), ("en", false)] {
            let site = try Self.site([Sample.photo("A")], language: language)
            for page in site.pages {
                #expect(site.text(page).contains("<html lang=\"\(language)\" dir=\"rtl\"") == isRightToLeft, "\(page)")
            }
        }
    }

    @Test(
        "A count takes the plural form of the language",
        arguments: [
            ("en", 0, "0 photos"), ("en", 1, "1 photo"), ("en", 2, "2 photos"), ("en", 1234, "1,234 photos"),
            ("de", 1, "1 Foto"), ("de", 1234, "1.234 Fotos"), ("es", 1, "1 foto"), ("es", 1234, "1234 fotos"),
            ("es", 12_345, "12\u{A0}345 fotos"), ("ar", 0, "لا صور"), ("ar", 1, "صورة واحدة"), ("ar", 2, "صورتان"),
            ("ar", 3, "3 صور"), ("ar", 10, "10 صور"), ("ar", 11, "11 صورة"), ("ar", 99, "99 صورة"),
            ("ar", 100, "100 صورة"), ("ar", 103, "103 صور"),
        ])
    func plural(language: String, count: Int, words: String) throws {
        let index = try Self.site(
            Sample.photos(count), language: language,
            overrides: ["card.mustache": [], "photo.mustache": [], "viewer.mustache": []]
        ).text("index.html")
        #expect(index.contains("<small>\(words)"))
    }

    @Test(
        "A user's language has its own plural forms, by its region where regions differ",
        arguments: [
            ("pt", 0, "one"), ("pt-BR", 0, "one"), ("pt-PT", 0, "other"), ("pt-PT", 1, "one"), ("PT-pt", 0, "other"),
            ("hi", 0, "one"), ("sl", 2, "two"), ("sl-SI", 103, "few"), ("lv", 10, "zero"), ("is", 21, "one"),
            ("ga", 7, "many"), ("cy", 6, "many"), ("mt", 12, "many"), ("fil", 4, "other"), ("tr", 0, "other"),
        ])
    func pluralOfOnesOwn(language: String, count: Int, form: String) throws {
        // The form `zero` is used for none in every language that has a text for it.
        let forms = ["one", "two", "few", "many", "other"] + (form == "zero" ? ["zero"] : [])
        let words = forms.map { "photos[\($0)] = form-\($0)" }
        let strings = "strings/\(language).txt"
        let index = try Self.site(
            Sample.photos(count), language: language,
            overrides: [
                "card.mustache": [], "photo.mustache": [], "viewer.mustache": [],
                strings: Array(words.joined(separator: "\n").utf8),
            ]
        ).text("index.html")
        #expect(index.contains("<small>form-\(form)"))
    }

    @Test("Every language has every text of the English file, with every plural form of its own")
    func completeness() throws {
        let forms = [
            "en": ["one", "other"], "de": ["one", "other"], "es": ["many", "one", "other"],
            "ar": ["few", "many", "one", "other", "two", "zero"],
        ]
        let english = try Self.entries("en")
        for language in Self.translated {
            let entries = try Self.entries(language)
            #expect(Set(entries.keys) == Set(english.keys), "\(language)")
            for (name, found) in entries where english[name] != [""] {
                // Other languages may have a form for zero, as English does.
                #expect(
                    found.filter { $0 != "zero" || language == "ar" }.sorted() == forms[language], "\(language) \(name)"
                )
            }
        }
        for (name, found) in english where found != [""] {
            #expect(found.filter { $0 != "zero" }.sorted() == forms["en"], "\(name)")
        }
    }

    @Test("Every text is used by a template or by the program, and every text that is used exists")
    func usage() throws {
        let templates = TemplateSet.builtIn.filter { $0.key.hasSuffix(".mustache") }.values
        let included = templates.flatMap { template in
            String(decoding: template, as: UTF8.self).matches(of: /{{>words\.([^}]+)}}/).map { String($0.output.1) }
        }
        func names<Fact: FailureDetail>(_ facts: Fact.Type) -> [String] {
            Fact.allCases.map { "\(Fact.group).\($0.rawValue)" }
        }
        let program = [
            "direction", "number.group", "number.decimal", "number.grouped-digits", "months", "date", "time",
            "local-time", "size.B", "size.kB", "size.MB", "size.bytes", "duration.seconds", "duration.minutes",
            "duration.hours", "duration.days", "pixels.mega", "pixels.few", "thumb.up", "thumb.down", "mark-since",
        ]
        let states =
            PhotoState.allCases.map { "state.\($0.rawValue)" } + MarkCode.allCases.map { "state.\($0.rawValue)" }
            + MarkSentence.allCases.filter { $0 != .verbatim }.map { "mark.\($0.rawValue)" }
        let sentences = ReasonSentence.allCases.filter { $0 != .verbatim }.map { "reason.\($0.rawValue)" }
        let facts =
            names(ContentKind.self) + names(FileProblem.self) + names(AddressProblem.self) + names(Damage.self)
        let used = Set(included + program + states + sentences + facts)
        #expect(Set(try Self.entries("en").keys).symmetricDifference(used).sorted() == [])
    }

    @Test("No text is left in English, except texts that are the same in both languages")
    func translation() throws {
        let same: Set = [
            "direction", "hash", "key.escape", "found.json", "found.text", "script.position", "number.group",
            "number.decimal", "number.grouped-digits", "local-time", "size.B", "size.kB", "size.MB", "size.bytes",
            "duration.seconds", "duration.minutes", "duration.hours", "duration.days", "feed", "filter", "link",
            "key.home", "key.end", "album", "time", "date",
        ]
        let english = try Self.texts("en")
        for language in Self.translated {
            for (name, text) in try Self.texts(language) where !same.contains(name.prefix { $0 != "[" }.description) {
                #expect(text != english[name], "\(language) \(name)")
            }
        }
    }

    @Test("A translation has the same placeholders as the English text", arguments: translated)
    func places(language: String) throws {
        let english = try Self.texts("en")
        for (name, text) in try Self.texts(language) {
            let key = String(name.prefix { $0 != "[" })
            guard let original = english[name] ?? english[key + "[other]"] else { continue }
            func places(_ text: String) -> Set<String> { Set(text.matches(of: /{[^}]*}/).map { String($0.output) }) }
            // A text such as "One photo" may leave out the number.
            #expect(places(text).isSubset(of: places(original)), "\(name)")
            if !name.hasSuffix("]") && !["date", "time"].contains(name) {
                #expect(places(text) == places(original), "\(name)")
            }
        }
    }

    @Test("Dates, sizes and numbers are written as the language writes them")
    func figures() throws {
        var photo = Sample.photo("A")
        photo.details.date = "2016-10-02T00:00:00Z"
        photo.taken = "2025-08-17T14:03:22"
        photo.images = [SiteImage(width: 320, height: 213, path: "images/x-320.jpg", bytes: 1_250_000)]
        func page(_ language: String) throws -> String {
            try Self.site([photo], language: language).text("photo/a.html")
        }
        let german = try page("de")
        #expect(german.contains(">2. Oktober 2016<"))
        #expect(german.contains("<time datetime=\"2025-08-17T14:03:22\">17. August 2025, 14:03</time>"))
        #expect(german.contains("1,3 MB"))
        #expect(
            german.contains(
                "gefiltert seit <time datetime=\"2025-12-29T09:20:00Z\">29. Dezember 2025, 09:20 UTC</time>"))
        #expect(try page("en").contains(">2 October 2016<"))
        #expect(try page("es").contains(">2 de octubre de 2016<"))
        #expect(try page("ar").contains("1.3 ميغابايت"))
    }

    @Test("A user's file of texts replaces single texts and leaves the others as they are")
    func ownWords() throws {
        let own = Array("no-photos = Rien\n".utf8)
        #expect(
            try Self.site([], language: "de", overrides: ["strings/de.txt": own]).text("index.html").contains("Rien"))
        let french = try Self.site([], language: "fr", overrides: ["strings/fr.txt": own]).text("index.html")
        #expect(french.contains("Rien"))
        #expect(french.contains("Skip to content"))
        #expect(
            try Self.site([], language: "de", overrides: ["strings/de.txt": own]).text("index.html")
                .contains("Zum Inhalt springen"))
    }

    @Test("Markup in a text is shown as text")
    func escaping() throws {
        let own = Array("no-photos = <b>\"&\n".utf8)
        let index = try Self.site([], language: "en", overrides: ["strings/en.txt": own]).text("index.html")
        #expect(index.contains("&lt;b&gt;&quot;&amp;"))
    }

    @Test(
        "The error about a file of texts names the line",
        arguments: [
            ("no-photos = A\nno-potos = B", 2, "\"no-potos\" is unknown and not used"),
            ("no-photos = A\n\nno-photos = B", 3, "defined twice"), ("nothing", 1, "equals sign"),
            ("# A\nphotos[lots] = B", 2, "\"lots\" is not a plural form"),
            ("photos[one] = A", 1, "no form for [other]"),
            ("no-photos =", 1, "has no text"), ("# A\nno-photos = A {number", 2, "brace is not closed"),
            ("position = A\n\nno-photos = {captoin}", 3, "\"captoin\" is unknown here"),
            ("no-photos = {>nothing}", 1, "there is no template nothing.mustache"),
            ("nö = A", 1, "a name consists of letters"), ("months = May", 1, "twelve months"),
            ("# A\ndirection = up", 2, "ltr or rtl"), ("number.grouped-digits = four", 1, "a number of digits"),
        ])
    func mistakes(text: String, line: Int, message: String) throws {
        let error = #expect(throws: SiteError.self) {
            try TemplateSet(overrides: ["strings/en.txt": Array(text.utf8)])
        }
        guard case .template(let file, let at, let words) = error else { return }
        #expect(file == "strings/en.txt")
        #expect(at == line)
        #expect(words.contains(message), "\(words)")
    }

    @Test("A template may have texts of its own")
    func ownTemplateWords() throws {
        let overrides = [
            "card.mustache": Array("<i>{{>words.mine}}</i>".utf8), "strings/en.txt": Array("mine = Mine: {name}".utf8),
        ]
        #expect(try Self.site([Sample.photo("A")], overrides: overrides).text("index.html").contains("<i>Mine: A</i>"))
        #expect(throws: SiteError.self) {
            try TemplateSet(overrides: ["card.mustache": Array("{{>words.mine}}".utf8)])
        }
    }

    static func site(
        _ photos: [SitePhoto], language: String = "en", overrides: [String: [UInt8]] = [:]
    ) throws -> RenderedSite {
        var settings = Sample.settings
        settings.language = language
        return try RenderedSite(Sample.content(photos, settings: settings), overrides: overrides)
    }

    /// Maps each name to its plural forms, where "" is a text without forms.
    private static func entries(_ language: String) throws -> [String: [String]] {
        var entries: [String: [String]] = [:]
        for name in try texts(language).keys {
            let parts = name.split(separator: "[")
            entries[String(parts[0]), default: []].append(parts.count > 1 ? String(parts[1].dropLast()) : "")
        }
        return entries
    }

    /// Maps each name with its form to its text.
    private static func texts(_ language: String) throws -> [String: String] {
        let file = try #require(TemplateSet.builtIn["strings/\(language).txt"])
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.split(separator: " = ", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            })
    }
}

import PhotoModel
import Site
import Testing

@Suite("Why a photo failed, in the language of the page")
struct ReasonTests {
    private static let failures: [Failure] = [
        .notFound(status: 404), .forbidden(status: 403), .httpStatus(503), .dns(host: "a.example"),
        .connect(host: "a.example"), .tls(host: "a.example", detail: "the certificate has expired"),
        .proxy(host: "p.example", .unknown), .proxy(host: "p.example", .unreachable),
        .proxy(host: "p.example", .refused(host: "a.example", status: nil)),
        .proxy(host: "p.example", .refused(host: "a.example", status: 403)), .proxy(host: "p.example", .wantsPassword),
        .proxy(host: "p.example", .tls(detail: "the certificate has expired")),
        .proxy(host: "p.example", .slow(seconds: 10)),
        .timeout(seconds: 300), .stalled(seconds: 0.5), .interrupted, .tooManyRedirects(limit: 5),
        .blockedAddress(host: "a.example", .privateNetwork),
        .blockedAddress(host: "a.example", .machine), .blockedAddress(host: "a.example", .afterPublic),
        .unsupportedScheme("ftp"), .tooLarge(limit: 100_000_000),
        .notAnImage(.webPage), .unsupportedFormat("AVIF"), .truncated, .corrupt("no JPEG at all: x"),
        .damaged(.contentEncoding), .damaged(.changedFile), .malformedAddress("bad port number"),
        .tooManyPixels(width: 70_000, height: 70_000, limit: 200_000_000),
        .sideTooLong(width: 90_000_000, height: 2, limit: 1_000_000),
        .tooMuchMemory(needed: 830_400_000, limit: 512_000_000), .noMemory(needed: 300_000_000),
        .missingFile("a: b.jpg"),
        .unreadableFile("a.jpg", .permission), .badAddress(.noHost),
        .otherContent(Digest(of: "other")),
    ]

    @Test("Every failure has a sentence in every language, with its values in it")
    func sentences() throws {
        #expect(Set(Self.failures.map { Reason($0).code }) == Set(ReasonCode.allCases))
        for language in ["de", "es", "ar"] {
            for failure in Self.failures {
                let english = Reason(failure).message
                let sentence = try Self.sentence(failure, language)
                #expect(sentence != english, "\(language): \(english)")
                for value in english.matches(of: /[0-9]+|[ap]\.example|ftp|AVIF|a: b\.jpg|a\.jpg/) {
                    #expect(sentence.contains(value.output), "\(language): \(sentence)")
                }
                #expect(!sentence.contains("{") && !sentence.contains("a web page"), "\(language): \(sentence)")
            }
        }
        #expect(
            try Self.sentence(.notFound(status: 404), "de")
                == "Nicht gefunden: Der Server hat unter dieser Adresse nichts (Status 404).")
        #expect(
            try Self.sentence(.notAnImage(.webPage), "es")
                == "No es una imagen, sino una página web.")
        #expect(try Self.sentence(.missingFile("a: b. c.jpg."), "de") == "Datei nicht gefunden: a: b. c.jpg..")
    }

    @Test("Every fact has a text in English, which is also in the message")
    func facts() throws {
        let facts =
            ContentKind.allCases.map(Failure.notAnImage) + FileProblem.allCases.map { .unreadableFile("a.jpg", $0) }
            + AddressProblem.allCases.map(Failure.badAddress) + Damage.allCases.map(Failure.damaged)
        for failure in facts { #expect(try Self.sentence(failure, "en") == Reason(failure).message) }
    }

    @Test("Numbers are written as the language writes them")
    func numbers() throws {
        #expect(try Self.sentence(.stalled(seconds: 0.5), "de") == "Der Server hat 0,5 s lang nichts gesendet.")
        #expect(
            try Self.sentence(.tooLarge(limit: 1_500_000), "es") == "El archivo supera el límite de 1,5 MB.")
    }

    @Test("In English the sentence is the message, to the letter")
    func english() throws {
        for failure in Self.failures { #expect(try Self.sentence(failure, "en") == Reason(failure).message) }
    }

    @Test("A value that reads like the sentence around it stays whole")
    func valuesLikeSentences() throws {
        let failure = Failure.unreadableFile("a can't be read: b.jpg", .permission)
        #expect(
            try Self.sentence(failure, "de")
                == "Die Datei a can't be read: b.jpg kann nicht gelesen werden: Zugriff verweigert.")
    }

    @Test("A message in unknown words stays as it is")
    func unknown() throws {
        var photo = Sample.failed("A")
        photo.reason = Reason(code: .notFound, message: "Gone.")
        #expect(try Self.shown(photo, "de") == "Gone.")
    }

    @Test("status.json keeps its English messages whatever the language of the pages is")
    func contract() throws {
        let site = try LanguageTests.site([Sample.failed("A")], language: "de")
        #expect(site.text("status.json").contains("Not found: the server has nothing at this address"))
    }

    private static func sentence(_ failure: Failure, _ language: String) throws -> String {
        try shown(Sample.failed("A", failure), language)
    }

    /// The sentence on the photo's page, without the characters that isolate values.
    private static func shown(_ photo: SitePhoto, _ language: String) throws -> String {
        let override = Array("{{#photo}}{{#reason}}{{message}}{{/reason}}{{/photo}}".utf8)
        return try LanguageTests.site([photo], language: language, overrides: ["photo.mustache": override])
            .text("photo/a.html").filter { $0 != "\u{2068}" && $0 != "\u{2069}" }
            .replacing("&#39;", with: "'")
    }
}

import Downloads
import Imaging
import Program
import Testing

@Suite("The values of settings") struct SettingParserTests {
    @Test(
        "Durations have units",
        arguments: [
            ("10s", Duration.seconds(10)), ("2m", .seconds(120)), ("1.5s", .milliseconds(1500)),
            ("250ms", .milliseconds(250)), ("1h", .seconds(3600)), ("1d", .seconds(86_400)),
        ])
    func durations(text: String, expected: Duration) {
        #expect(SettingParsers.duration(text) == expected)
    }

    @Test(
        "A duration without a unit, of zero, or below zero is refused",
        arguments: ["10", "0s", "-1s", "s", "", "1 s", "1e3s", "١s"])
    func badDurations(text: String) {
        #expect(SettingParsers.duration(text) == nil)
    }

    @Test("The time for which an original is fresh may be zero", arguments: ["0", "0s", "0ms", "0d", "0.0h"])
    func neverFresh(text: String) {
        #expect(SettingParsers.maxAge(text) == .fixed(.zero))
        #expect(SettingParsers.maxAge("1" + text) != .fixed(.zero))
    }

    @Test(
        "Sizes have decimal and binary units",
        arguments: [
            ("100MB", 100_000_000), ("512kB", 512_000), ("1MiB", 1_048_576), ("2GB", 2_000_000_000), ("42", 42),
            ("42B", 42), ("1.5MB", 1_500_000),
        ] as [(String, Int64)])
    func sizes(text: String, expected: Int64) {
        #expect(SettingParsers.bytes(text) == expected)
    }

    @Test("Texts that are no size are refused", arguments: ["", "MB", "-1MB", "0", "1TBB", "99999999GB", "ten"])
    func badSizes(text: String) {
        #expect(SettingParsers.bytes(text) == nil)
    }

    @Test("Widths are sorted and unique")
    func widths() {
        #expect(SettingParsers.widths("800, 320,1600,800") == [320, 800, 1600])
    }

    @Test("Invalid widths are refused", arguments: ["", "0", "320,", "a", "320;800", "20001", "-5"])
    func badWidths(text: String) {
        #expect(SettingParsers.widths(text) == nil)
    }

    @Test("Formats are jpeg, or jpeg and webp")
    func formats() {
        #expect(SettingParsers.formats("jpeg") == .jpeg)
        for text in ["jpeg,webp", "webp, jpeg", "JPEG,WebP"] { #expect(SettingParsers.formats(text) == .jpegAndWebP) }
    }

    @Test(
        "The error about an invalid format says what is wrong with it",
        arguments: [
            ("jpg", "did you mean jpeg?"), ("jpeg,wepb", "did you mean webp?"), ("avif", "AVIF is not supported"),
            ("jpeg,heic", "HEIC is not supported"), ("webp", "jpeg is required: feeds and social cards need it"),
            ("png", "transparent pictures are published as PNG automatically"),
        ])
    func badFormats(text: String, problem: String) throws {
        #expect(SettingParsers.formats(text) == nil)
        #expect(try #require(SettingParsers.formatsProblem(text)).hasSuffix(problem))
    }

    @Test("Pixels may be counted in megapixels")
    func pixels() {
        #expect(SettingParsers.pixels("200MP") == 200_000_000)
        #expect(SettingParsers.pixels("12345") == 12_345)
        #expect(SettingParsers.pixels("MP") == nil)
    }

    @Test("A base URL ends in a slash, and has neither query nor user")
    func baseURLs() {
        #expect(SettingParsers.baseURL("https://example.org/club") == "https://example.org/club/")
        #expect(SettingParsers.baseURL("HTTP://example.org/") == "HTTP://example.org/")
        #expect(SettingParsers.baseURL("https://example.org/my photos/ä") == "https://example.org/my%20photos/%C3%A4/")
        #expect(SettingParsers.baseURL("https://example.org/a%20b") == "https://example.org/a%20b/")
        for bad in [
            "example.org", "ftp://example.org/", "https://example.org/?a", "https:///x", "https://u@example.org/",
        ] {
            #expect(SettingParsers.baseURL(bad) == nil, "\(bad)")
        }
    }

    @Test("Language tags are accepted by their form")
    func languages() {
        for good in ["en", "pt-BR", "zh-Hant-TW", "de-1996"] { #expect(SettingParsers.language(good) == good) }
        for bad in ["", "e", "en_US", "en-", "1a", "\"><script>", "en-abcdefghi"] {
            #expect(SettingParsers.language(bad) == nil, "\(bad)")
        }
    }
}

import Foundation
import PhotoModel
import Site
import Testing

@Suite("Text in pages")
struct EscapingTests {
    @Test("A name that looks like markup is text wherever it is used", arguments: Sample.hostileNames)
    func hostileName(name: String) throws {
        var photo = Sample.photo(name, slug: "hostile")
        photo.album = [name]
        photo.details = PhotoDetails(
            caption: name, alt: name, credit: name, license: name, link: nil, date: name, tags: [name])
        photo.source = name
        photo.stale = Stale(since: Sample.updated, reason: Reason(code: .tls, message: name))
        var settings = Sample.settings
        settings.title = name
        let hostile = try RenderedSite(
            Sample.content([photo], albums: [SiteAlbum(path: [name], slug: "hostile")], settings: settings))
        photo = photo.renamed("plain")
        settings.title = "plain"
        let plain = try RenderedSite(
            Sample.content([photo], albums: [SiteAlbum(path: ["plain"], slug: "hostile")], settings: settings))
        for path in hostile.pages {
            #expect(
                Self.skeleton(hostile.text(path)) == Self.skeleton(plain.text(path)),
                "\(path) has other tags or attributes than with a plain name")
        }
        #expect(Self.markupCharacters(hostile.text("feed.xml")) == Self.markupCharacters(plain.text("feed.xml")))
    }

    @Test("A quotation mark is escaped even if a combining mark follows it")
    func combiningMark() throws {
        let site = try RenderedSite(Sample.content([Sample.photo("\"\u{301} onfocus=\"\u{301}", slug: "a")]))
        let pages = site.pages.map { Self.withoutStructuredData(site.text($0)) }.joined()
        let scalars = Array(pages.unicodeScalars)
        #expect(!zip(scalars, scalars.dropFirst()).contains { $0 == "\"" && $1 == "\u{301}" })
        #expect(pages.contains("alt=\"&quot;\u{301} onfocus=&quot;\u{301}\""))
    }

    @Test("Characters that XML does not allow become U+FFFD, and the feed can be parsed")
    func controlCharacters() throws {
        let name = "a\u{0}b\u{1}c\u{B}d\u{1F}e\tf" + String(Character(Unicode.Scalar(0xFFFE) ?? "x"))
        let site = try RenderedSite(Sample.content([Sample.photo(name, slug: "a")]))
        #expect(site.text("feed.xml").contains("<title>a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\tf\u{FFFD}</title>"))
        #expect(try FeedReader.read(site.files["feed.xml"] ?? []).entries.count == 1)
    }

    @Test("Every name, caption and album is isolated, so that its direction does not affect the text around it")
    func direction() throws {
        var photo = Sample.photo("بحيرة", slug: "a", album: ["אוטרות"])
        photo.details.caption = "نص"
        let site = try RenderedSite(
            Sample.content([photo], albums: [SiteAlbum(path: ["אוטרות"], slug: "b")]))
        #expect(site.text("index.html").contains("<bdi>بحيرة</bdi>"))
        #expect(site.text("index.html").contains("<bdi>אוטרות</bdi>"))
        #expect(site.text("photo/a.html").contains("dir=\"auto\">نص</p>"))
    }

    @Test("A picture's alternative text is the manifest's, or else the name")
    func alternativeText() throws {
        var described = Sample.photo("Described")
        described.details.alt = "What is to be seen"
        let site = try RenderedSite(Sample.content([described, Sample.photo("Named")]))
        #expect(site.values(of: "alt", in: "index.html") == ["What is to be seen", "Named"])
    }

    private static func withoutStructuredData(_ page: String) -> String {
        page.replacing(/<script type="application\/ld\+json">[^<]*<\/script>/, with: "")
    }

    /// A page's tags with the names of their attributes, without values and text.
    private static func skeleton(_ page: String) -> [String] {
        var tags: [String] = []
        for part in page.unicodeScalars.split(separator: "<").dropFirst() {
            // The tag ends at the first bracket outside quotation marks.
            var isQuoted = false
            var tag = String.UnicodeScalarView()
            for scalar in part {
                if scalar == "\"" {
                    isQuoted.toggle()
                } else if !isQuoted {
                    if scalar == ">" { break }
                    tag.append(scalar)
                }
            }
            tags.append(String(tag))
        }
        return tags
    }

    private static func markupCharacters(_ text: String) -> Int {
        text.unicodeScalars.count { $0 == "<" || $0 == ">" || $0 == "\"" }
    }
}

extension SitePhoto {
    /// The photo with all its texts replaced by `word`.
    fileprivate func renamed(_ word: String) -> SitePhoto {
        var photo = self
        photo.name = word
        photo.album = album.map { _ in word }
        photo.details = PhotoDetails(
            caption: word, alt: word, credit: word, license: word, link: nil, date: word, tags: [word])
        photo.source = word
        photo.stale = stale.map { Stale(since: $0.since, reason: Reason(code: $0.reason.code, message: word)) }
        return photo
    }
}

import Foundation
import PhotoModel
import Site
import Testing

@Suite("status.html")
struct StatusPageTests {
    @Test(
        "status.html lists the photos that need attention, and no other, with reason, time, source and line"
    )
    func table() throws {
        var content = Sample.everything
        for index in content.photos.indices where content.photos[index].needsAttention {
            content.photos[index].manifestPosition = "photos.plist:\(index + 10)"
        }
        let site = try RenderedSite(content)
        let page = site.text("status.html")
        let rows = page.components(separatedBy: "<tr><th scope=\"row\">").dropFirst()
        #expect(
            rows.map { $0.components(separatedBy: "<bdi>")[1].prefix { $0 != "<" } } == [
                "Stale", "Lost", "New", "Missing", "Marked",
            ])
        let missing = try #require(rows.dropLast().last)
        for text in [
            "href=\"photo/missing.html\"", "the server has nothing at this address (status 404).", "30 December 2025",
            "href=\"https://example.org/missing.jpg\"", "photos.plist:15", "data-state=\"failed\">failed<",
        ] {
            #expect(missing.contains(text), "\(text)")
        }
        #expect(rows.first?.contains("data-state=\"stale\">stale<") == true)
        #expect(rows.first?.contains("The server took longer than 300 s.") == true)
        #expect(rows.first?.contains("31 December 2025") == true)
        let marked = try #require(rows.last)
        #expect(marked.contains("<span class=\"state marked\" data-state=\"frozen\">frozen</span>"))
        #expect(!marked.contains("data-state=\"filtered\""), "the mark says more")
        #expect(marked.contains("expected to change within 24 h") && marked.contains("31 December 2025"))
        for path in site.pages where path != "status.html" {
            #expect(site.values(of: "href", in: path).contains { $0.hasSuffix("status.html") }, "\(path)")
        }
        for text in ["2 failed", "1 stale", "1 not fetched yet"] { #expect(site.text("index.html").contains(text)) }
    }

    @Test("A photo whose server sent Retry-After is listed with the time")
    func postponed() throws {
        var photo = Sample.photo("A")
        photo.retryAfter = Sample.updated
        let page = try RenderedSite(Sample.content([photo])).text("status.html")
        #expect(page.contains("Not retried before <time datetime=\"2026-01-02T03:04:05Z\">"))
    }

    @Test("Of thousands of failed photos status.html lists the first, and says how many more there are")
    func thousands() throws {
        let photos = (1...2_345).map { Sample.failed("P\($0)") }
        let page = try RenderedSite(Sample.content(photos)).text("status.html")
        #expect(page.components(separatedBy: "<tr><th scope=\"row\">").count - 1 == 2_000)
        #expect(page.contains("status.json has 345 more."))
    }

    @Test("status.html says so when no photo needs attention")
    func well() throws {
        let site = try RenderedSite(Sample.content([Sample.photo("A")]))
        #expect(site.text("status.html").contains("All photos are up to date"))
        #expect(!site.text("status.html").contains("<table"))
        #expect(!site.text("index.html").contains("attention"))
    }
}

import Foundation
import PhotoModel
import Site
import Testing

@Suite("The feed")
struct FeedTests {
    @Test("The feed lists the photos that changed last, newest first, and no more than fifty")
    func order() throws {
        let photos = (1...70).map { number in
            var photo = Sample.photo("Photo\(number)")
            photo.since = Timestamp(seconds: 1_700_000_000 + Int64(number % 7) * 100)
            return photo
        }
        let feed = try read(Sample.content(photos))
        #expect(feed.entries.count == 50)
        let times = feed.entries.compactMap { $0.texts["updated"] }
        #expect(times == times.sorted(by: >))
        // Entries of the same time keep the order of the list.
        #expect(feed.entries.prefix(3).map { $0.texts["title"] } == ["Photo6", "Photo13", "Photo20"])
    }

    @Test("An entry's id stays when photos come and go, and no two entries have the same")
    func ids() throws {
        let one = try read(Sample.content([Sample.photo("A"), Sample.photo("B")]))
        let other = try read(Sample.content([Sample.failed("New"), Sample.photo("B"), Sample.photo("A")]))
        func ids(_ feed: FeedReader) -> [String: String] {
            Dictionary(uniqueKeysWithValues: feed.entries.map { ($0.texts["title"] ?? "", $0.texts["id"] ?? "") })
        }
        #expect(ids(one)["A"] == ids(other)["A"])
        #expect(Set(ids(other).values).count == 3)
        #expect(one.feed.texts["id"] == other.feed.texts["id"])
        let id = try #require(ids(one)["A"])
        #expect(id.wholeMatch(of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }

    @Test("The feed's links are relative, or absolute once the site's address is known")
    func links() throws {
        func links(_ feed: FeedReader) -> [String] { feed.entries.flatMap { $0.links.map(\.address) } }
        let relative = try read(Sample.content([Sample.photo("A", slug: "a b")]))
        #expect(links(relative)[0] == "photo/a%20b.html")
        #expect(relative.feed.links.map(\.relation) == ["alternate"])
        var settings = Sample.settings
        settings.baseURL = "https://example.org/club/"
        let absolute = try read(Sample.content([Sample.photo("A", slug: "a b")], settings: settings))
        #expect(links(absolute)[0] == "https://example.org/club/photo/a%20b.html")
        #expect(links(absolute)[1].hasPrefix("https://example.org/club/images/"))
        #expect(absolute.feed.links.map(\.relation) == ["alternate", "self"])
    }

    @Test("Every entry of the feed gives the photo's state, and why it failed or is stale")
    func summaries() throws {
        let feed = try read(Sample.everything)
        func summary(_ title: String) -> String {
            feed.entries.first { $0.texts["title"] == title }?.texts["summary"] ?? ""
        }
        #expect(summary("Missing") == "Failed: Not found: the server has nothing at this address (status 404).")
        #expect(
            summary("Stale") == "Not refreshed since 31 December 2025, 16:53 UTC: The server took longer than 300 s."
        )
        #expect(
            summary("Marked") == "frozen since 31 December 2025, 16:53 UTC: The picture was expected to change within "
                + "24 h, but is still the same.")
        #expect(summary("Detailed") == "New photo – A caption")
        #expect(feed.feed.texts["updated"] == "2026-01-02T03:04:05Z")
        #expect(feed.entries.allSatisfy { $0.texts["id"] != nil && $0.texts["updated"] != nil })
    }

    @Test("A photo that has recovered is a new entry with the time of its recovery")
    func recovered() throws {
        let before = Sample.photo("A")
        var after = before
        after.recovered = Timestamp(seconds: after.since.seconds + 86_400)
        let (old, new) = (try read(Sample.content([before])).entries[0], try read(Sample.content([after])).entries[0])
        #expect(new.texts["summary"] == "Back again")
        #expect(new.texts["updated"] == after.recovered?.description)
        #expect(new.texts["id"] != old.texts["id"])
    }

    @Test("A photo that froze is a new entry with the time at which its change was due")
    func frozen() throws {
        let before = Sample.photo("A")
        var after = before
        let since = Timestamp(seconds: before.since.seconds + 100)
        after.marks = [.frozen(since: since, expectedWithin: 86_400)]
        let (old, new) = (try read(Sample.content([before])).entries[0], try read(Sample.content([after])).entries[0])
        #expect(new.texts["updated"] == Timestamp(seconds: since.seconds + 86_400).description)
        #expect(new.texts["id"] != old.texts["id"])
    }

    private func read(_ content: SiteContent) throws -> FeedReader {
        try FeedReader.read(RenderedSite(content).files["feed.xml"] ?? [])
    }
}

import Ledger
import PhotoModel
import TestSupport
import Testing

/// A build compares a gallery's revision to find out, without reading any page, that no photo has changed since the
/// pages were rendered.
@Suite("The revision of a gallery") struct RevisionTests {
    private let folder = TemporaryFolder()

    private func open() throws -> Ledger { try Ledger(path: folder.path + "/ledger.sqlite", gallery: "one") }

    private func photo(_ key: Digest, slug: String = "lake") -> PhotoRow {
        PhotoRow(key: key, slug: slug, state: .filtered, since: 1_700_000_000, checked: 1_700_000_001)
    }

    private func publish(_ photos: [PhotoRow], in ledger: Ledger) throws -> Int64 {
        let site = SiteRow(
            output: "/site", content: Digest(of: "c"), templates: Digest(of: "t"), updated: 7, inputs: "title Lakes",
            owned: ["index.html": OwnedFile(digest: nil, bytes: 5)])
        let known = try ledger.snapshot().photos
        try ledger.record(publication: site, photos: photos, replacing: known, albums: [:])
        return try ledger.snapshot().revision
    }

    @Test("The revision is that of the publication until a photo looks different")
    func lookingDifferent() throws {
        let ledger = try open()
        let published = try publish([photo("a")], in: ledger)
        #expect(try ledger.site(output: "/site")?.revision == published)
        var changed = photo("a")
        changed.state = .downloaded
        try ledger.record(changed, original: nil)
        #expect(try ledger.snapshot().revision > published)
        #expect(try ledger.site(output: "/site")?.revision == published)
    }

    @Test(
        "The revision does not rise for values that no page shows: the last check, the number of attempts, the recipe")
    func lookingTheSame() throws {
        let ledger = try open()
        let published = try publish([photo("a")], in: ledger)
        var same = photo("a")
        same.checked += 60
        same.attempts = 2
        same.recipe = "quality 80"
        same.source = "elsewhere"
        let known = try ledger.snapshot().photos
        try ledger.record(publication: nil, photos: [same], replacing: known, albums: [:])
        #expect(try ledger.snapshot().revision == published)
        #expect(try ledger.snapshot().photos["a"] == same)
    }

    @Test(
        "The revision rises when a photo has recovered or was downloaded, and the time is kept",
        arguments: ["back", "fetched"])
    func times(name: String) throws {
        let time = name == "back" ? \PhotoRow.recovered : \PhotoRow.fetched
        let ledger = try open()
        let first = try publish([photo("a")], in: ledger)
        var later = photo("a")
        later[keyPath: time] = 1_700_000_060
        #expect(try publish([later], in: ledger) > first)
        #expect(try ledger.snapshot().photos["a"] == later)
    }

    @Test("The revision rises when a photo is removed, and when one is new")
    func comingAndGoing() throws {
        let ledger = try open()
        let first = try publish([photo("a")], in: ledger)
        let second = try publish([photo("a"), photo("b", slug: "tea")], in: ledger)
        let third = try publish([photo("b", slug: "tea")], in: ledger)
        #expect(first < second && second < third)
    }

    @Test("Each gallery has its own revision and its own inputs of pages")
    func apart() throws {
        let ledger = try open()
        let published = try publish([photo("a")], in: ledger)
        let other = try Ledger(path: folder.path + "/ledger.sqlite", gallery: "other")
        try other.record(photo("b", slug: "tea"), original: nil)
        #expect(try ledger.snapshot().revision == published)
        #expect(try other.snapshot().revision > 0)
    }

    @Test("The inputs of pages are unknown while files are being put in place")
    func claims() throws {
        let ledger = try open()
        _ = try publish([photo("a")], in: ledger)
        #expect(try ledger.site(output: "/site")?.inputs == "title Lakes")
        try ledger.record(claims: ["page/2.html": FileClaim(OwnedFile(digest: nil, bytes: 5))], output: "/site")
        #expect(try ledger.site(output: "/site")?.inputs == nil)
    }
}

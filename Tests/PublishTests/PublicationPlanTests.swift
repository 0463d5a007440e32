import PhotoModel
import Testing

@testable import Publish

@Suite struct PublicationPlanTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    private static func file(_ path: String, _ content: String = "a") -> OutgoingFile {
        let isNamed = path.hasPrefix("images/") || path.hasPrefix("assets/")
        return OutgoingFile(
            path: path, source: "/site/" + path, bytes: Int64(content.utf8.count),
            digest: isNamed ? nil : Digest(of: content))
    }

    private static func listed(_ files: [OutgoingFile], since: Timestamp? = nil) -> PublishedList {
        var list = PublishedList()
        for file in files { list.entries[file.path] = .init(bytes: file.bytes, digest: file.digest, since: since) }
        return list
    }

    private static func plan(
        _ site: [OutgoingFile], _ list: PublishedList = PublishedList(), _ found: [String: Presence] = [:],
        unreported: Set<String> = [], keepOld: Int64 = 86_400, now: Timestamp = now
    ) -> PublicationPlan {
        PublicationPlan(
            site: site, list: list, unreported: unreported, found: found,
            retention: PublishRetention(seconds: keepOld, now: now))
    }

    private static let picture = file("images/0123456789abcdef-400.jpg")
    private static let page = file("photo/lighthouse.html")
    private static let index = file("index.html")

    @Test("Files are removed in steps: lists, photo pages, and then all others")
    func removalSteps() {
        let paths = ["page2.html", "album/x.html", "photo/a.html", "photo/b.html", "assets/x.css", "images/y.jpg"]
        #expect(
            RemovalOrder.steps(paths.reversed()).map { $0.sorted() } == [
                ["album/x.html", "page2.html"], ["photo/a.html", "photo/b.html"], ["assets/x.css", "images/y.jpg"],
            ])
        #expect(RemovalOrder.steps([]).isEmpty)
    }

    @Test("Pictures go before the index of photos, that before new pages, then changed ones, lists, and the first page")
    func order() {
        let names = [
            "index.html", "feed.xml", "status.json", "album/x.html", "photo/new.html", "photo/old.html", "photos.js",
            "images/0123456789abcdef-400.jpg", "assets/gallery.0123456789abcdef.css",
        ]
        let old = Self.file("photo/old.html", "before")
        let plan = Self.plan(names.map { Self.file($0) }, Self.listed([old]))
        #expect(
            plan.sends.map(\.path) == [
                "assets/gallery.0123456789abcdef.css", "images/0123456789abcdef-400.jpg", "photos.js", "album/x.html",
                "photo/new.html", "photo/old.html", "feed.xml", "status.json", "index.html",
            ])
    }

    @Test("An index of photos that replaces another goes after the pages to which it leads")
    func photoIndex() {
        let plan = Self.plan([Self.page, Self.file("photos.js", "new")], Self.listed([Self.file("photos.js")]))
        #expect(plan.sends.map(\.path) == ["photo/lighthouse.html", "photos.js"])
    }

    @Test("Nothing is to be done for a target that has all by its list")
    func unchanged() {
        let site = [Self.picture, Self.page, Self.index]
        let list = Self.listed(site)
        let plan = Self.plan(site, list)
        #expect(plan.isDone(list) && plan.sends.isEmpty && plan.unknown.isEmpty)
    }

    @Test("A page with other content is sent, and a picture that the list has is not")
    func changedPage() {
        let plan = Self.plan(
            [Self.picture, Self.file("index.html", "new")], Self.listed([Self.picture, Self.index]))
        #expect(plan.sends.map(\.path) == ["index.html"])
        #expect(plan.claims.entries["index.html"]?.isPending == true)
        #expect(plan.result == Self.listed([Self.picture, Self.file("index.html", "new")]))
    }

    @Test("Files that the list does not have, or has as pending, are asked for")
    func unknown() {
        var list = Self.listed([Self.picture])
        list.entries[Self.page.path] = .init(bytes: 1, isPending: true)
        let plan = Self.plan([Self.picture, Self.page, Self.index], list)
        #expect(Set(plan.unknown.map(\.path)) == [Self.page.path, Self.index.path])
        #expect(!plan.isDone(list))
    }

    @Test("What is found to be the same is taken over, and what is different is foreign unless it is listed")
    func found() {
        var list = PublishedList()
        list.entries[Self.page.path] = .init(bytes: 1, isPending: true)
        let site = [Self.picture, Self.page, Self.index]
        let plan = Self.plan(
            site, list, [Self.picture.path: .same, Self.page.path: .different, Self.index.path: .different])
        #expect(plan.foreign == [Self.index.path])
        #expect(plan.sends.map(\.path) == [Self.page.path])
        #expect(plan.sends.allSatisfy { !$0.isNew })
        #expect(Self.plan(site, list, [Self.page.path: .other]).foreign == [Self.page.path])
    }

    @Test("Of the files that are pending and the same, only those that this machine sent are to be reported")
    func sentBefore() {
        var list = PublishedList()
        let site = [Self.picture, Self.page, Self.index]
        for file in site { list.entries[file.path] = .init(bytes: 1, isPending: true) }
        let plan = Self.plan(
            site, list, [Self.picture.path: .same, Self.page.path: .same, Self.index.path: .absent],
            unreported: [Self.page.path, Self.index.path, "photo/gone.html"])
        #expect(plan.sends.map(\.path) == [Self.index.path])
        #expect(plan.sentBefore.map(\.path) == [Self.page.path])
        // Until they are reported, they stay pending.
        #expect(plan.claims.pendingPaths == [Self.page.path, Self.index.path])
        #expect(plan.result.pendingPaths.isEmpty)
    }

    @Test("A file that left the site stays for the time given, is removed then, and pages go before pictures")
    func retention() {
        let gone = [Self.picture, Self.page, Self.file("page/2.html")]
        let first = Self.plan([Self.index], Self.listed(gone + [Self.index]))
        #expect(first.removals.isEmpty && first.retained == 3)
        let within = Self.plan([Self.index], first.result, now: Timestamp(seconds: Self.now.seconds + 86_399))
        #expect(within.isDone(first.result) && within.retained == 3)
        let after = Self.plan([Self.index], first.result, now: Timestamp(seconds: Self.now.seconds + 86_400))
        #expect(after.removals == ["page/2.html", "photo/lighthouse.html", "images/0123456789abcdef-400.jpg"])
        #expect(after.result == Self.listed([Self.index]))
        #expect(Self.plan([Self.index], Self.listed(gone + [Self.index]), keepOld: 0).removals.count == 3)
    }

    @Test("A file that is part of the site again is not sent again and stays")
    func returned() {
        let list = Self.listed([Self.picture], since: Timestamp(seconds: Self.now.seconds - 90_000))
        let plan = Self.plan([Self.picture], list)
        #expect(plan.sends.isEmpty && plan.removals.isEmpty)
        #expect(!plan.isDone(list) && plan.result == Self.listed([Self.picture]))
    }

    @Test("A clock that was ahead keeps nothing for longer")
    func clock() {
        let list = Self.listed([Self.picture], since: Timestamp(seconds: Self.now.seconds + 1_000_000))
        let plan = Self.plan([], list)
        #expect(plan.result.entries[Self.picture.path]?.since == Self.now)
    }
}

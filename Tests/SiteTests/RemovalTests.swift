import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("Publishing removes files of ours that are no longer needed")
struct RemovalTests {
    private let output = OutputFolder()
    private static let picture = "0123456789abcdef-320.jpg"

    @Test("A file that is neither published nor kept is removed, with the folder that it leaves empty")
    func removal() throws {
        let first = try output.publish(
            ["index.html": "index", "photo/a.html": "a", "photo/b.html": "b", "page/2.html": "two"],
            pictures: [Self.picture])
        let second = try output.publish(
            ["index.html": "index"], owned: first.owned, keeping: ["photo/b.html", "images/\(Self.picture)"])
        #expect(second.removed == ["page/2.html", "photo/a.html"])
        #expect(
            Set(try output.contents().keys)
                == ["index.html", "photo", "photo/b.html", "images", "images/\(Self.picture)"])
        #expect(Set(second.owned.keys) == ["index.html", "photo/b.html", "images/\(Self.picture)"])
    }

    @Test("Publishing nothing removes all files of ours and no others")
    func clean() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a"], pictures: [Self.picture])
        try output.write("mine", to: "robots.txt")
        try output.write("mine", to: "photo/mine.txt")
        try output.publish([:], owned: first.owned)
        #expect(try output.contents() == ["robots.txt": "mine", "photo": "/", "photo/mine.txt": "mine"])
    }

    @Test("A folder that a killed run emptied is removed by the next run")
    func emptiedFolder() throws {
        let first = try output.publish(["index.html": "index", "page/2.html": "two"])
        try FileManager.default.removeItem(atPath: output.path + "/page/2.html")
        let second = try output.publish(["index.html": "index"], owned: first.owned)
        #expect(second.removed.isEmpty && Set(second.owned.keys) == ["index.html"])
        #expect(try output.contents() == ["index.html": "index"])
    }

    @Test(
        "A file that can't be removed is still recorded, with the files it may link to, and removed the next time",
        arguments: [("album/c.html", ["photo/a.html", "photo/b.html"]), ("photo/b.html", [])])
    func removalFailures(held: String, withIt: [String]) throws {
        let pages = ["index.html": "index", "photo/a.html": "a", "photo/b.html": "b", "album/c.html": "c"]
        let first = try output.publish(pages, pictures: [Self.picture])
        let page = output.path + "/" + held
        var publisher = try Publisher(output: output.path, owned: first.owned)
        try publisher.publish(SiteFile(path: "index.html", bytes: Array("index".utf8)))
        try FileManager.default.removeItem(atPath: page)
        try FileManager.default.createDirectory(atPath: page, withIntermediateDirectories: false)
        let second = try SitePublication(&publisher)
        publisher.finishRemoval()
        #expect(second.removalFailures.count == 1)
        #expect(second.removed == Set(first.owned.keys).subtracting(second.owned.keys).sorted())
        // Photo pages are removed in any order, so the other page may be gone before the failure or not.
        let kept = Set(second.owned.keys).subtracting(held.hasPrefix("photo/") ? ["photo/a.html"] : [])
        #expect(kept == Set(withIt + [held, "index.html", "images/\(Self.picture)"]))
        for path in withIt { #expect(try output.text(path) == pages[path]) }
        #expect(try output.text("images/\(Self.picture)") == "picture")
        try FileManager.default.removeItem(atPath: page)
        try output.write(try #require(pages[held]), to: held)
        let third = try output.publish(["index.html": "index"], owned: second.owned)
        #expect(third.removalFailures.isEmpty && Set(third.owned.keys) == ["index.html"])
        #expect(try output.contents() == ["index.html": "index"])
    }
}

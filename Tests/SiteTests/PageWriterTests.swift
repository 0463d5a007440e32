import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import Site

@Suite("Pages that other threads write")
struct PageWriterTests {
    private let output = OutputFolder()

    @Test("Pages that other threads have written leave no trace if they are not published")
    func unpublishedPages() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a"])
        func write() throws {
            let publisher = try Publisher(output: output.path, owned: first.owned)
            let writer = publisher.pageWriter
            for path in ["photo/a.html", "photo/b.html"] {
                guard case .prepared = writer.prepare(.file(SiteFile(path: path, bytes: [1]), key: nil)) else {
                    Issue.record("\(path) was not written")
                    continue
                }
            }
            #expect(try output.contents().count == 6)
        }
        try write()
        #expect(try output.contents() == ["index.html": "index", "photo": "/", "photo/a.html": "a"])
    }

    @Test("Other threads write pages with free paths even if the record isn't trusted, and leave all others alone")
    func untrustedRecord() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a", "photo/b.html": "bb"])
        try output.write("other", to: "index.html")
        try output.write("b", to: "photo/b.html")
        try output.write("theirs", to: "photo/c.html")
        try #require(chmod(output.path + "/photo/b.html", 0o666) == 0)
        var publisher = try Publisher(output: output.path, owned: first.owned)
        let writer = publisher.pageWriter
        let pages = ["photo/a.html": "a", "photo/b.html": "bb", "photo/c.html": "theirs", "photo/d.html": "d"]
        var written: Set<String> = []
        for (path, text) in pages {
            let output = writer.prepare(.file(SiteFile(path: path, bytes: Array(text.utf8)), key: nil))
            if case .prepared = output { written.insert(path) }
            try publisher.publish(output)
        }
        // The file of another size counts as missing.
        #expect(written == ["photo/b.html", "photo/d.html"])
        try publisher.publish(SiteFile(path: "index.html", bytes: Array("index".utf8)))
        #expect(Set(try publisher.finish(keeping: []).written) == written.union(["index.html"]))
        publisher.finishRemoval()
        #expect(try output.text("photo/b.html") == "bb")
        var status = stat()
        try #require(stat(output.path + "/photo/b.html", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o666)
    }

    @Test("A page that another thread has written keeps the permissions of the page that it replaces")
    func preparedPermissions() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a"])
        try #require(chmod(output.path + "/photo/a.html", 0o666) == 0)
        var publisher = try Publisher(output: output.path, owned: first.owned)
        let writer = publisher.pageWriter
        for (path, text) in [("photo/a.html", "b"), ("photo/b.html", "b"), ("index.html", "index")] {
            try publisher.publish(writer.prepare(.file(SiteFile(path: path, bytes: Array(text.utf8)), key: nil)))
        }
        #expect(try publisher.finish(keeping: []).written == ["photo/b.html", "photo/a.html"])
        publisher.finishRemoval()
        var status = stat()
        try #require(stat(output.path + "/photo/a.html", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o666)
        #expect(try output.text("photo/a.html") == "b")
    }

    @Test("Of two pages with the same path, the last one is published, even if both are written before that")
    func samePath() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a", "photo/b.html": "b"])
        var publisher = try Publisher(output: output.path, owned: first.owned)
        let writer = publisher.pageWriter
        let pages = [
            ("photo/a.html", "earlier"), ("photo/a.html", "last"), ("photo/b.html", "earlier"), ("photo/b.html", "b"),
            ("photo/c.html", "earlier"), ("photo/c.html", "last"), ("index.html", "index"),
        ]
        let prepared = pages.map { path, text in
            writer.prepare(.file(SiteFile(path: path, bytes: Array(text.utf8)), key: nil))
        }
        for output in prepared { try publisher.publish(output) }
        #expect(try publisher.finish(keeping: []).written == ["photo/c.html", "photo/a.html"])
        publisher.finishRemoval()
        #expect(
            try output.contents() == [
                "index.html": "index", "photo": "/", "photo/a.html": "last", "photo/b.html": "b",
                "photo/c.html": "last",
            ])
        let last = Digest(of: Array("last".utf8))
        #expect(publisher.owned["photo/a.html"]?.digest == last && publisher.owned["photo/c.html"]?.digest == last)
        #expect(publisher.owned["photo/b.html"] == first.owned["photo/b.html"])
    }

    @Test("A page that was found to be unchanged before another one was published at its path does not hide that one")
    func unchangedAfterStaged() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a"])
        var publisher = try Publisher(output: output.path, owned: first.owned)
        try publisher.publish(SiteFile(path: "photo/a.html", bytes: Array("new".utf8)))
        try publisher.publish(.unchanged(paths: ["photo/a.html"]))
        try publisher.publish(.unchanged(paths: ["index.html"]))
        let claim = try #require(try publisher.claims().first { $0.key == "photo/a.html" }).value
        #expect(claim.file.digest == Digest(of: "new"))
        #expect(try publisher.finish(keeping: []).written == ["photo/a.html"])
        publisher.finishRemoval()
        #expect(try output.text("photo/a.html") == "new")
    }

    @Test("Pages are published while other threads write the next ones")
    func concurrently() throws {
        let count = 1_000
        // The first half is on the site already. Every third of its pages is as it was.
        @Sendable func isOld(_ number: Int) -> Bool { number < count / 2 && number % 3 == 0 }
        @Sendable func text(_ number: Int) -> String { (isOld(number) ? "old" : "new") + " \(number)" }
        var old = ["index.html": "index"]
        for number in 0..<count / 2 { old["photo/\(number).html"] = "old \(number)" }
        let first = try output.publish(old)
        var publisher = try Publisher(output: output.path, owned: first.owned)
        let writer = publisher.pageWriter
        var prepared = 0
        try Parallel.forEach(0..<count, chunkSize: 8) { number in
            let page = SiteFile(path: "photo/\(number).html", bytes: Array(text(number).utf8))
            return writer.prepare(.file(page, key: nil))
        } _: { (output) throws(SiteError) in
            if case .prepared = output { prepared += 1 }
            try publisher.publish(output)
        }
        try publisher.publish(.unchanged(paths: ["index.html"]))
        #expect(prepared == count, "other threads compare all pages with the site, and write those that differ")
        let written = try publisher.finish(keeping: []).written
        publisher.finishRemoval()
        #expect(written.sorted() == (0..<count).filter { !isOld($0) }.map { "photo/\($0).html" }.sorted())
        let contents = try output.contents()
        #expect((0..<count).allSatisfy { contents["photo/\($0).html"] == text($0) })
        #expect(contents.count == count + 2)
    }
}

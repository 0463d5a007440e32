import Foundation
import PhotoModel
import Site
import Testing

@Suite("Files that the site has already")
struct KeptFilesTests {
    private let output = OutputFolder()
    private let key = Digest(of: "data")

    @Test("Pictures of the site are kept by their names, and those that were cut short are not")
    func pictures() throws {
        let first = try output.publish(["index.html": "index"], pictures: ["a.jpg", "b.jpg", "c.jpg"])
        // The pictures are links to one file.
        try FileManager.default.removeItem(atPath: output.path + "/images/c.jpg")
        try output.write("pic", to: "images/c.jpg")
        var publisher = try Publisher(output: output.path, owned: first.owned)
        let paths = ["images/a.jpg", "images/c.jpg", "images/d.jpg"]
        let missing = publisher.keep(pictures: paths)
        #expect(missing == ["images/c.jpg", "images/d.jpg"])
        for path in missing { try publisher.publish(picture: path, from: try output.picture()) }
        try publisher.publish(SiteFile(path: "index.html", bytes: Array("index".utf8)))
        let result = try publisher.finish(keeping: [])
        publisher.finishRemoval()
        #expect(Set(result.written) == Set(missing) && result.removed == ["images/b.jpg"])
        for path in paths { #expect(try output.text(path) == "picture") }
    }

    @Test("No picture is kept by its name if every file is compared")
    func comparedPictures() throws {
        let first = try output.publish(["index.html": "index"], pictures: ["a.jpg"])
        var publisher = try Publisher(output: output.path, owned: first.owned, comparesAll: true)
        #expect(publisher.keep(pictures: ["images/a.jpg"]) == ["images/a.jpg"])
    }

    @Test("A page is kept if the site has it with the same key, and no other one is staged for its path")
    func pages() throws {
        let owned = try publishPages()
        var publisher = try Publisher(output: output.path, owned: owned)
        try publisher.publish(page("photo/b.html", "new"), key: key)
        let paths = ["photo/a.html", "photo/b.html", "photo/c.html", "photo/d.html"]
        let kept = publisher.keepPages(paths, [key, key, Digest(of: "other"), key])
        #expect(kept == [true, false, false, false])
        try publisher.publish(page("index.html", "index"))
        #expect(try publisher.finish(keeping: []).removed == ["photo/c.html"])
        publisher.finishRemoval()
        #expect(
            try output.contents() == [
                "index.html": "index", "photo": "/", "photo/a.html": "old", "photo/b.html": "new",
            ])
    }

    @Test("No page is kept in a site that is not as it was recorded")
    func otherSite() throws {
        let owned = try publishPages()
        try output.write("restored", to: "index.html")
        let publisher = try Publisher(output: output.path, owned: owned)
        #expect(publisher.keepPages(["photo/a.html"], [key]) == [false])
    }

    private func page(_ path: String, _ text: String) -> SiteFile { SiteFile(path: path, bytes: Array(text.utf8)) }

    /// - Returns: the owned files of a site of three pages with the same key.
    private func publishPages() throws -> [String: OwnedFile] {
        var publisher = try Publisher(output: output.path, owned: [:])
        for name in ["a", "b", "c"] { try publisher.publish(page("photo/\(name).html", "old"), key: key) }
        try publisher.publish(page("index.html", "index"))
        _ = try publisher.finish(keeping: [])
        publisher.finishRemoval()
        return publisher.owned
    }
}

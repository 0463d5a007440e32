import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("Publishing")
struct PublisherTests {
    private let output = OutputFolder()
    private static let picture = "0123456789abcdef-320.jpg"

    @Test("Every file is put in place, in the order of publishing, and no other file is")
    func first() throws {
        let result = try output.publish(
            ["index.html": "index", "photo/a.html": "a", "page/2.html": "two"], pictures: [Self.picture])
        #expect(
            try output.contents() == [
                "images": "/", "images/\(Self.picture)": "picture", "photo": "/", "photo/a.html": "a", "page": "/",
                "page/2.html": "two", "index.html": "index",
            ])
        #expect(result.written == ["images/\(Self.picture)", "photo/a.html", "page/2.html", "index.html"])
        #expect(result.unchanged.isEmpty && result.removed.isEmpty)
        #expect(result.owned["index.html"] == OwnedFile(digest: Digest(of: "index"), bytes: 5))
        #expect(result.owned["images/\(Self.picture)"] == OwnedFile(digest: nil, bytes: 7))
    }

    @Test("A run with nothing to do changes neither a file nor a folder")
    func nothingToDo() throws {
        let pages = ["index.html": "index", "photo/a.html": "a"]
        let first = try output.publish(pages, pictures: [Self.picture])
        let before = try output.identities()
        let second = try output.publish(pages, pictures: [Self.picture], owned: first.owned)
        #expect(try output.identities() == before)
        #expect(second.written.isEmpty && second.removed.isEmpty)
        #expect(second.changed.isEmpty)
        #expect(Set(second.unchanged) == Set(first.written))
        #expect(second.owned == first.owned)
    }

    @Test("A picture that several photos show is checked once")
    func sharedPicture() throws {
        let first = try output.publish(["index.html": "index"], pictures: [Self.picture, Self.picture])
        #expect(first.written == ["images/\(Self.picture)", "index.html"])
        let second = try output.publish(
            ["index.html": "index"], pictures: [Self.picture, Self.picture], owned: first.owned)
        #expect(second.unchanged == ["images/\(Self.picture)", "index.html"])
    }

    @Test("Only the page that changed is written")
    func change() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a"])
        let before = try output.identities()
        let second = try output.publish(["index.html": "index", "photo/a.html": "b"], owned: first.owned)
        #expect(second.written == ["photo/a.html"])
        #expect(second.changed.isEmpty, "the claim has recorded the page")
        #expect(try output.text("photo/a.html") == "b")
        #expect(try output.identities()["index.html"] == before["index.html"])
    }

    @Test("A page whose data has changed, but not its bytes, is recorded and not written")
    func newKey() throws {
        let page = SiteFile(path: "photo/a.html", bytes: Array("a".utf8))
        func publish(key: Digest, owned: [String: OwnedFile]) throws -> SitePublication {
            var publisher = try Publisher(output: output.path, owned: owned)
            try publisher.publish(page, key: key)
            return try SitePublication(&publisher, keeping: ["index.html"])
        }
        let index = try output.publish(["index.html": "index"])
        let first = try publish(key: Digest(of: "one"), owned: index.owned)
        let second = try publish(key: Digest(of: "two"), owned: first.owned)
        #expect(second.written.isEmpty && second.changed == ["photo/a.html"])
        #expect(second.owned["photo/a.html"]?.key == Digest(of: "two"))
    }

    @Test("A file of ours that was deleted is written again")
    func deleted() throws {
        let pages = ["index.html": "index", "photo/a.html": "a"]
        let first = try output.publish(pages, pictures: [Self.picture])
        let before = try output.contents()
        try FileManager.default.removeItem(atPath: output.path + "/index.html")
        try FileManager.default.removeItem(atPath: output.path + "/images")
        #expect(try Publisher(output: output.path, owned: first.owned).isComplete == false)
        let second = try output.publish(pages, pictures: [Self.picture], owned: first.owned)
        #expect(Set(second.written) == ["index.html", "images/\(Self.picture)"])
        #expect(try output.contents() == before)
        #expect(try Publisher(output: output.path, owned: second.owned).isComplete)
    }

    @Test(
        "A foreign file at the path of one of ours is named in the error, and the folder stays as it was",
        arguments: [
            "file", "folder", "link", "dangling link", "link in place of a folder", "file in place of a folder",
        ])
    func foreign(kind: String) throws {
        let files = FileManager.default
        try output.write("mine", to: "robots.txt")
        try files.createDirectory(atPath: output.scratch.path + "/elsewhere", withIntermediateDirectories: true)
        let page = output.path + "/photo/a.html"
        let isFolder = kind.hasSuffix("place of a folder")
        if !isFolder { try files.createDirectory(atPath: output.path + "/photo", withIntermediateDirectories: true) }
        switch kind {
        case "file": try output.write("theirs", to: "photo/a.html")
        case "folder": try files.createDirectory(atPath: page, withIntermediateDirectories: true)
        case "link": try files.createSymbolicLink(atPath: page, withDestinationPath: "../robots.txt")
        case "dangling link": try files.createSymbolicLink(atPath: page, withDestinationPath: "nowhere")
        case "link in place of a folder":
            try files.createSymbolicLink(atPath: output.path + "/photo", withDestinationPath: "../elsewhere")
        default: try output.write("theirs", to: "photo")
        }
        let before = (try output.contents(), try output.identities())
        #expect(throws: SiteError.foreign(path: page)) {
            try output.publish(["photo/a.html": "a", "index.html": "index"], pictures: [Self.picture])
        }
        // A folder's own time changes as temporary files come and go, but its content must not change.
        #expect(try output.contents() == before.0)
        #expect(try output.identities() == before.1)
        #expect(try files.contentsOfDirectory(atPath: output.scratch.path + "/elsewhere").isEmpty)
    }

    @Test("A foreign file that appears at the path of a new file is not overwritten")
    func appearing() throws {
        try output.write("mine", to: "photo/robots.txt")
        func publish() throws {
            var publisher = try Publisher(output: output.path, owned: [:])
            try output.write("theirs", to: "photo/a.html")
            try publisher.publish(SiteFile(path: "photo/a.html", bytes: [1]))
            _ = try publisher.finish(keeping: [])
        }
        #expect(throws: SiteError.foreign(path: output.path + "/photo/a.html")) { try publish() }
        #expect(try output.text("photo/a.html") == "theirs")
    }

    @Test("If the first page is not the recorded one, every page is compared with its content")
    func notAsRecorded() throws {
        let first = try output.publish(["index.html": "one", "photo/a.html": "two", "photo/b.html": "six"])
        // The pages of another state of the site were copied here. They have the same size as the recorded ones.
        try output.write("ONE", to: "index.html")
        try output.write("TWO", to: "photo/a.html")
        #expect(try Publisher(output: output.path, owned: first.owned).isComplete == false)
        let second = try output.publish(
            ["index.html": "one", "photo/a.html": "two", "photo/b.html": "six"], owned: first.owned)
        #expect(second.written == ["photo/a.html", "index.html"])
        #expect(second.unchanged == ["photo/b.html"])
    }

    @Test("A publisher that is abandoned replaces one existing file, and publishes none of the staged files")
    func givingUp() throws {
        let first = try output.publish(["index.html": "1", "status.js": "1"])
        var publisher = try Publisher(output: output.path, owned: first.owned)
        try publisher.publish(SiteFile(path: "index.html", bytes: Array("2".utf8)))
        try publisher.publish(SiteFile(path: "photo/a.html", bytes: Array("2".utf8)))
        try publisher.abandon(replacing: SiteFile(path: "status.js", bytes: Array("3".utf8)))
        #expect(try output.contents() == ["index.html": "1", "status.js": "3"])
        var another = try Publisher(output: output.path, owned: first.owned)
        try another.abandon(replacing: SiteFile(path: "photo/a.html", bytes: Array("3".utf8)))
        #expect(
            try output.contents() == ["index.html": "1", "status.js": "3"],
            "only an existing file is replaced")
    }

    @Test("Files are put in place in steps, whatever the order in which they were published; within a step it is kept")
    func order() throws {
        let first = try output.publish(["index.html": "1", "photo/a.html": "1", "status.json": "1"])
        var publisher = try Publisher(output: output.path, owned: first.owned)
        let style = "assets/gallery.0123456789abcdef.css"
        for path in ["status.json", "photo/a.html", "index.html", "photo/b.html", "status.js", style] {
            try publisher.publish(SiteFile(path: path, bytes: [2]))
        }
        try publisher.publish(picture: "images/\(Self.picture)", from: try output.picture())
        #expect(
            try publisher.finish(keeping: []).written == [
                style, "images/\(Self.picture)", "status.js", "photo/b.html", "photo/a.html", "status.json",
                "index.html",
            ])
    }

    @Test("A foreign picture is refused too")
    func foreignPicture() throws {
        try output.write("theirs", to: "images/\(Self.picture)")
        #expect(throws: SiteError.foreign(path: output.path + "/images/\(Self.picture)")) {
            try output.publish([:], pictures: [Self.picture])
        }
        #expect(try output.text("images/\(Self.picture)") == "theirs")
    }

    @Test("A file of ours that was replaced by a link is not written through, and not removed")
    func replaced() throws {
        let first = try output.publish(["index.html": "index"])
        try output.write("secret", to: "robots.txt")
        try FileManager.default.removeItem(atPath: output.path + "/index.html")
        try FileManager.default.createSymbolicLink(
            atPath: output.path + "/index.html", withDestinationPath: "robots.txt")
        #expect(throws: SiteError.foreign(path: output.path + "/index.html")) {
            try output.publish(["index.html": "new"], owned: first.owned)
        }
        try output.publish([:], owned: first.owned)
        #expect(try output.contents() == ["robots.txt": "secret", "index.html": "-> robots.txt"])
    }

    @Test("A foreign file with the same bytes as the new file becomes ours")
    func sameBytes() throws {
        try output.write("index", to: "index.html")
        try output.write("picture", to: "images/\(Self.picture)")
        let before = try output.identities()
        let result = try output.publish(["index.html": "index"], pictures: [Self.picture])
        #expect(try output.identities() == before)
        #expect(result.written.isEmpty)
        #expect(Set(result.owned.keys) == ["index.html", "images/\(Self.picture)"])
    }

    @Test("The output folder may be a symbolic link to a folder")
    func linkedOutput() throws {
        let real = output.scratch.path + "/www"
        try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: output.path, withDestinationPath: "www")
        try output.publish(["index.html": "index"])
        #expect(try String(contentsOfFile: real + "/index.html", encoding: .utf8) == "index")
    }

    @Test("An output folder that is a file, or whose parent is a file, can't be created")
    func unusableOutput() throws {
        try output.scratch.write("theirs", to: "public")
        #expect(throws: SiteError.cannotCreate(path: output.path, errno: ENOTDIR)) {
            _ = try Publisher(output: output.path, owned: [:])
        }
        #expect(throws: SiteError.cannotCreate(path: output.path + "/sub/folder", errno: ENOTDIR)) {
            _ = try Publisher(output: output.path + "/sub/folder", owned: [:])
        }
    }

    @Test("Parent folders of the output folder are created, and removed if the publisher is abandoned")
    func missingParents() throws {
        let deep = output.path + "/a/b/c"
        func begin() throws -> Publisher {
            var publisher = try Publisher(output: deep + "/", owned: [:])
            try publisher.publish(SiteFile(path: "photo/a.html", bytes: [1]))
            return publisher
        }
        _ = try begin()
        #expect(!FileManager.default.fileExists(atPath: output.path))
        var publisher = try begin()
        _ = try publisher.finish(keeping: [])
        publisher.finishRemoval()
        #expect(try output.contents()["a/b/c/photo/a.html"] == "\u{1}")
    }

    @Test("The site stays the same until the end, and a publisher that is abandoned leaves no trace")
    func givenUp() throws {
        let first = try output.publish(["index.html": "index"])
        let before = (try output.contents(), try output.identities())
        func begin() throws {
            var publisher = try Publisher(output: output.path, owned: first.owned)
            try publisher.publish(picture: "images/\(Self.picture)", from: try output.picture())
            try publisher.publish(SiteFile(path: "index.html", bytes: Array("new".utf8)))
            #expect(try output.text("index.html") == "index")
        }
        try begin()
        #expect(try output.contents() == before.0)
        #expect(try output.identities() == before.1)
    }

    @Test("A run that was killed before the end, and recorded its claims, is completed by the next")
    func killed() throws {
        let first = try output.publish(["index.html": "index", "photo/a.html": "a"])
        var claims: [String: OwnedFile] = [:]
        func beginAndRecord() throws {
            var publisher = try Publisher(output: output.path, owned: first.owned)
            try publisher.publish(SiteFile(path: "photo/a.html", bytes: Array("new".utf8)))
            try publisher.publish(SiteFile(path: "photo/b.html", bytes: Array("new".utf8)))
            claims = Dictionary(uniqueKeysWithValues: try publisher.claims().map { ($0.key, $0.value.interrupted) })
        }
        try beginAndRecord()
        #expect(Set(claims.keys) == ["photo/a.html", "photo/b.html"])
        // The killed run has published some files, and left others in its temporary folder.
        try output.write("new", to: "photo/b.html")
        try output.write("new", to: ".gallerygen-0123456789abcdef.tmp/1")
        let owned = first.owned.merging(claims) { _, claim in claim }
        let unwritten = try Publisher(output: output.path, owned: owned).changed
        #expect(unwritten == ["photo/a.html", "photo/b.html"], "they stay unknown if nothing is written")
        let result = try output.publish(["index.html": "x", "photo/a.html": "y", "photo/b.html": "z"], owned: owned)
        #expect(Set(result.written) == ["index.html", "photo/a.html", "photo/b.html"])
        #expect(result.removalFailures.isEmpty)
        #expect(
            try output.contents() == [
                "index.html": "x", "photo": "/", "photo/a.html": "y", "photo/b.html": "z",
            ])
    }

    @Test("Pictures are hard-linked, so that they take no extra space, and shared ones are put in place once")
    func links() throws {
        var publisher = try Publisher(output: output.path, owned: [:])
        let staged = try output.picture()
        try publisher.publish(picture: "images/\(Self.picture)", from: staged)
        try publisher.publish(picture: "images/\(Self.picture)", from: staged)
        #expect(try publisher.finish(keeping: []).written.count == 1)
        publisher.finishRemoval()
        var status = stat()
        #expect(lstat(staged, &status) == 0 && status.st_nlink == 2)
    }

    @Test("The error about a missing picture names the picture, and the site stays")
    func missingPicture() throws {
        let missing = output.scratch.path + "/state/missing.jpg"
        func publish() throws {
            var publisher = try Publisher(output: output.path, owned: [:])
            try publisher.publish(SiteFile(path: "index.html", bytes: [1]))
            try publisher.publish(picture: "images/\(Self.picture)", from: missing)
        }
        #expect(throws: SiteError.write(path: missing, errno: ENOENT)) { try publish() }
        #expect(try output.contents().isEmpty)
    }

    @Test("A whole site is published as it was rendered, and a second time nothing is written")
    func wholeSite() throws {
        let content = Sample.everything
        let renderer = try SiteRenderer(content: content, templates: TemplateSet())
        func publish(_ owned: [String: OwnedFile]) throws -> SitePublication {
            var publisher = try Publisher(output: output.path, owned: owned)
            for path in content.picturePaths.sorted() {
                try publisher.publish(picture: path, from: try output.picture())
            }
            try renderer.files { try publisher.publish($0) }
            return try SitePublication(&publisher)
        }
        let first = try publish([:])
        let rendered = try RenderedSite(content)
        let files = try output.contents().filter { $0.value != "/" }
        #expect(Set(files.keys) == Set(rendered.paths).union(content.picturePaths))
        #expect(rendered.paths.allSatisfy { files[$0] == rendered.text($0) })
        #expect(first.written.suffix(2) == ["status.json", "index.html"])
        let before = try output.identities()
        #expect(try publish(first.owned).written.isEmpty)
        #expect(try output.identities() == before)
    }
}

import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("A site whose state folder was lost")
struct AdoptionTests {
    private let output = OutputFolder()

    @Test("All files that gallerygen published are recognised as its own, and no other file")
    func everything() throws {
        var content = Sample.everything
        content.photos.append(Sample.photoWithWebP("Both"))
        let renderer = try SiteRenderer(content: content, templates: TemplateSet())
        var publisher = try Publisher(output: output.path, owned: [:])
        for path in content.picturePaths.sorted() { try publisher.publish(picture: path, from: try output.picture()) }
        try renderer.files { try publisher.publish($0) }
        let owned = try SitePublication(&publisher).owned
        publisher.finishRemoval()
        for foreign in [
            "robots.txt", "photo/mine.html", "photo/mine.txt", "page/1.html", "page/02.html", "page/x.html",
            "images/holiday.jpg", "images/0123456789abcdef-320.gif", "images/0123456789ABCDEF-320.jpg",
            "images/0123456789abcdef-.jpg", "assets/logo.svg", "assets/logo.0123456789abcdef.png",
            "assets/photos.0123456789abcdef.js", "assets/search.0123456789abcdef.js",
            "album/mine.html", "CNAME",
        ] {
            try output.write("theirs", to: foreign)
        }
        try FileManager.default.createSymbolicLink(
            atPath: output.path + "/photo/link.html", withDestinationPath: "mine.html")
        let adopted = try adoptableFiles(in: output.path)
        #expect(Set(adopted.keys) == Set(owned.keys))
        let (pictures, others) = (
            adopted.filter { $0.key.hasPrefix("images/") }, adopted.filter { !$0.key.hasPrefix("images/") }
        )
        #expect(others.allSatisfy { owned[$0.key]?.bytes == $0.value.bytes })
        // status.json gives the size of each picture when it was published, so that a damaged picture is detected.
        let published = content.photos.flatMap { $0.images + [$0.original].compactMap(\.self) }
        #expect(
            pictures.allSatisfy { picture in
                published.contains { $0.path == picture.key && $0.bytes == picture.value.bytes }
                    || published.contains { $0.webp?.path == picture.key && $0.webp?.bytes == picture.value.bytes }
            })

        // With the recognised files, the next build writes nothing, and removes only gallerygen's own files.
        let before = try output.identities()
        var again = try Publisher(output: output.path, owned: adopted)
        try renderer.files { try again.publish($0) }
        #expect(try again.finish(keeping: Set(content.picturePaths)).written.isEmpty)
        again.finishRemoval()
        #expect(try output.identities() == before)
        var last = try Publisher(output: output.path, owned: adopted)
        _ = try last.finish(keeping: [])
        last.finishRemoval()
        #expect(try output.contents().values.filter { $0 != "/" && $0 != "theirs" } == ["-> mine.html"])
    }

    @Test("The records tell when a photo was downloaded and when it recovered, which status.json does not")
    func times() throws {
        var content = Sample.content(Sample.photos(300))
        (content.photos[250].downloaded, content.photos[250].recovered) = (Timestamp(seconds: 5), Timestamp(seconds: 7))
        var publisher = try Publisher(output: output.path, owned: [:])
        try SiteRenderer(content: content, templates: TemplateSet()).files { try publisher.publish($0) }
        _ = try publisher.finish(keeping: [])
        publisher.finishRemoval()
        let photos = try #require(try PublishedSite(in: output.path)).photos
        #expect(photos.map(\.downloaded) == content.photos.map(\.downloaded))
        #expect(photos.map(\.recovered) == content.photos.map(\.recovered))

        // A site of an earlier version has one file of records.
        let name = content.photos[3].slug
        try FileManager.default.removeItem(atPath: output.path + "/photos.js")
        let line = #"{"page":"photo/\#(name).html","recoveredAt":"1970-01-01T00:00:09Z"},"#
        try output.write("window.galleryPhotos = [\n\(line)\n];\n", to: "search.js")
        #expect(try PublishedSite(in: output.path)?.photos[3].recovered == Timestamp(seconds: 9))
    }

    @Test("Files that were recognised without a record are recorded before any file changes")
    func claims() throws {
        let content = Sample.everything
        let renderer = try SiteRenderer(content: content, templates: TemplateSet())
        var publisher = try Publisher(output: output.path, owned: nil)
        for path in content.picturePaths.sorted() { try publisher.publish(picture: path, from: try output.picture()) }
        try renderer.files { try publisher.publish($0) }
        let owned = try SitePublication(&publisher).owned
        publisher.finishRemoval()

        var next = try Publisher(output: output.path, owned: nil)
        try renderer.files { try next.publish($0) }
        #expect(try next.claims().map(\.key).isEmpty, "nothing is going to change")
        try next.publish(SiteFile(path: "photo/other.html", bytes: [1]))
        #expect(Set(try next.claims().map(\.key)) == Set(owned.keys).union(["photo/other.html"]))
        // With a record, nothing has to be recognised.
        var last = try Publisher(output: output.path, owned: owned)
        try last.publish(SiteFile(path: "photo/other.html", bytes: [1]))
        #expect(try last.claims().map(\.key) == ["photo/other.html"])
    }

    @Test(
        "A folder that another program made stays foreign",
        arguments: [
            #"{"schema":1,"generator":"other 1.0","photos":[]}"#,
            #"{"schema":2,"generator":"gallerygen 9.0","photos":[]}"#,
            #"{"generator":"gallerygen 1.0","photos":[]}"#, "no JSON", "",
        ])
    func otherProgram(status: String) throws {
        try output.write(status, to: "status.json")
        try output.write("theirs", to: "index.html")
        #expect(try adoptableFiles(in: output.path).isEmpty)
    }

    @Test("A missing folder, and one without status.json, hold no file of gallerygen")
    func nothing() throws {
        #expect(try adoptableFiles(in: output.path).isEmpty)
        try output.write("theirs", to: "index.html")
        #expect(try adoptableFiles(in: output.path).isEmpty)
    }
}

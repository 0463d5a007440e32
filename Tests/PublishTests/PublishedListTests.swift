import PhotoModel
import TestSupport
import Testing

@testable import Publish

@Suite struct PublishedListTests {
    static var sample: PublishedList {
        var list = PublishedList()
        list.entries["index.html"] = .init(bytes: 12, digest: Digest(of: "index"))
        list.entries["photo/ä b.html"] = .init(bytes: 0, isPending: true)
        list.entries["images/0123456789abcdef-400.jpg"] = .init(bytes: 7)
        list.entries["images/0123456789abcdef-800.jpg"] = .init(bytes: 9, since: Timestamp(seconds: 1_700_000_000))
        return list
    }

    @Test("A list is read as it was written")
    func roundTrip() {
        #expect(PublishedList(Self.sample.bytes) == Self.sample)
        #expect(PublishedList(PublishedList().bytes) == PublishedList())
    }

    @Test("A list that was cut anywhere is none")
    func cut() {
        let bytes = Self.sample.bytes
        for count in bytes.indices { #expect(PublishedList(Array(bytes[..<count])) == nil) }
    }

    @Test(
        "A list with a path out of the site is none",
        arguments: [
            "../index.html", "/etc/passwd", "images/../../x.jpg", "images/..", "images/", "images//x.jpg",
            ".htaccess", "cgi-bin/x.html", "images/.htaccess", "photo/a/b.html", "CNAME", "",
        ])
    func outside(_ path: String) {
        let text = "gallerygen published files, version 1: 1\n\(path)\t1\t-\t-\n"
        #expect(PublishedList(Array(text.utf8)) == nil)
    }

    @Test("A list of a later version is none")
    func later() {
        #expect(PublishedList(Array("gallerygen published files, version 2: 0\n".utf8)) == nil)
    }
}

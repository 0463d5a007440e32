import Foundation
import Importing
import PhotoModel
import Testing

/// Sources whose parts are many and long take time by their size, not by the product of the two. The times are those
/// that the processor spent on the test, whatever else it does, and sources that differ in one of both are compared.
@Suite struct BoundedTimeTests {
    /// Seconds of this thread's processor time.
    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }

    private static func time(_ source: String) throws -> Double { try seconds { _ = try Import.remote(source) } }

    private static func feed(_ content: String) -> String {
        "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel>\(content)</channel></rss>"
    }

    @Test("The address of a namespace is not searched again for each of its elements")
    func longNamespace() throws {
        func feed(length: Int) -> String {
            let elements = String(repeating: "<x:b/>", count: 2_000)
            let address = "http://example.org/" + String(repeating: "u", count: length)
            return Self.feed("<x:a xmlns:x='\(address)'>\(elements)</x:a><item><enclosure url='a.jpg'/></item>")
        }
        #expect(try Self.time(feed(length: 20_000)) < Self.time(feed(length: 20)) * 10)
    }

    @Test("The text of an entry is read once, however many pictures the entry has")
    func manyPicturesOfAnEntry() throws {
        func feed(pictures: Int) -> String {
            let text = String(repeating: "&lt;b>x&lt;/b>", count: 1_000)
            let pictures = (0..<pictures).map { "<media:content medium='image' url='\($0).jpg'/>" }.joined()
            return Self.feed("<item><title>\(text)</title><description>\(text)</description>\(pictures)</item>")
        }
        #expect(try Self.time(feed(pictures: 100)) < Self.time(feed(pictures: 1)) * 10)
    }

    private static func manifest(label: String, description: String = "", canvases: Int, pictures: Int = 1) -> String {
        let picture = #"{"resource": {"@id": "https://example.org/a.jpg"}}"#
        let images = Array(repeating: picture, count: pictures).joined(separator: ", ")
        let canvas = #"{"description": "\#(description)", "images": [\#(images)]}"#
        let all = Array(repeating: canvas, count: canvases).joined(separator: ", ")
        return #"{"@type": "sc:Manifest", "label": "\#(label)", "sequences": [{"canvases": [\#(all)]}]}"#
    }

    @Test("The title of a manifest is cut before each canvas without a label gets it")
    func longTitle() throws {
        let list = try Import.remote(Self.manifest(label: String(repeating: "l", count: 100_000), canvases: 2))
        #expect(list.title?.count == 201)
    }

    @Test("The description of a canvas is read once, however many pictures the canvas has")
    func manyPicturesOfACanvas() throws {
        func manifest(pictures: Int) -> String {
            Self.manifest(
                label: "A", description: String(repeating: "<b>x</b>", count: 10_000), canvases: 1, pictures: pictures)
        }
        #expect(try Self.time(manifest(pictures: 100)) < Self.time(manifest(pictures: 1)) * 10)
    }

    @Test("Characters that a list can't contain take no time for each of the photos that share them")
    func manyInvisibleCharacters() throws {
        func albums(photos: Int) -> String {
            let photos = (0..<photos).map { "\"\($0).jpg\"" }.joined(separator: ", ")
            return "{\"A" + String(repeating: "\u{7F}", count: 100_000) + "\": [\(photos)]}"
        }
        #expect(try Self.time(albums(photos: 100)) < Self.time(albums(photos: 1)) * 10)
    }

    @Test("The entries of a list without line breaks are marked in a time by their number, not by its square")
    func oneLine() throws {
        func time(photos: Int) throws -> Double {
            let photos = (0..<photos).map { ImportedPhoto(address: "https://example.org/\($0).jpg") }
            let source = (shown: "test", identity: "test")
            let path = "/photos/photos.plist"
            let document = try ImportedDocument(ImportedList(photos: photos), of: source, list: path)
            let line = String(decoding: document.bytes, as: UTF8.self).replacing("\n", with: " ")
            let rest = ImportedList(photos: [photos[0]])
            return try Self.seconds {
                let merged = try ImportedDocument(
                    merging: rest, of: source, into: Array(line.utf8), list: path, today: "2026-11-25")
                #expect(merged.missing == photos.count - 1)
            }
        }
        #expect(try time(photos: 4_000) < time(photos: 1_000) * 8)
    }

    @Test("A list is refused if it would be too large to be read, as each entry repeats the rights of its feed")
    func repeatedRights() throws {
        let items = String(repeating: "<item><enclosure url='a.jpg'/></item>", count: 70_000)
        let rights = String(repeating: "r", count: 4_000)
        #expect(throws: ImportError.listTooLarge(limit: 256_000_000)) {
            try Import.remote(Self.feed("<copyright>\(rights)</copyright>" + items))
        }
    }

    @Test("A list of several manifests is refused as soon as it would be too large to be read")
    func manyManifests() throws {
        var photo = ImportedPhoto(address: "a.jpg")
        photo.details.caption = String(repeating: "c", count: 4_000)
        let photos = Array(repeating: photo, count: 30_000)
        var collected = CollectedPhotos()
        try collected.add(photos, in: ["One"])
        try collected.add(photos, in: ["Two"])
        #expect(throws: ImportError.listTooLarge(limit: 256_000_000)) { try collected.add(photos, in: ["Three"]) }
        #expect(collected.photos.count < 64_000)
    }

    @Test("An entry of a feed has 200 tags at most, which each of its pictures gets")
    func manyTags() throws {
        let tags = (0..<1_000).map { "<category>\($0)</category>" }.joined()
        let pictures = (0..<10).map { "<enclosure url='\($0).jpg'/>" }.joined()
        let list = try Import.remote(Self.feed("<item>\(tags)\(pictures)</item>"))
        let expected = (0..<200).map { "\($0)" }
        #expect(list.photos.count == 10 && list.photos.allSatisfy { $0.details.tags == expected })
    }

    @Test("The first caption of a figure counts, and further ones don't go to all of its pictures again")
    func manyCaptions() throws {
        let pictures = (0..<3).map { "<img src='\($0).jpg'>" }.joined()
        let captions = (0..<3).map { "<figcaption>\($0)</figcaption>" }.joined()
        let list = try Import.remote("<html><figure>\(pictures)\(captions)</figure></html>")
        #expect(list.photos.map(\.details.caption) == ["0", "0", "0"])
    }

    @Test("An address of more than 8,000 bytes is left out, and a base of that length does not count")
    func longAddresses() throws {
        let long = String(repeating: "a", count: 8_001)
        let page = """
            <html><base href="/\(long)/"><a href="\(long).jpg"><img src="1.jpg"></a>
            <img src="\(long).jpg"><picture><source srcset="\(long).jpg 9000w"><img src="2.jpg"></picture></html>
            """
        #expect(try Import.remote(page).addresses == [1, 2].map { "https://example.org/shows/\($0).jpg" })
        let half = String(repeating: "a", count: 5_000) + "/"
        let feed = Self.feed(
            """
            <item xml:base="\(half)"><title>T</title><x xml:base="\(half)"><enclosure url="1.jpg"/></x></item>
            """)
        #expect(try Import.remote(feed).addresses == ["https://example.org/shows/\(half)1.jpg"])
    }

    @Test("The largest source of a picture counts, and of several that are, the first")
    func sourcesOfAPicture() throws {
        let sources = ["s.jpg 100w, l.jpg 900w", "data:x 5000w", "m.jpg 500w", "same.jpg 900w"]
            .map { "<source srcset='\($0)'>" }.joined()
        let page = "<html><picture>\(sources)<img src='plain.jpg'></picture><img src='next.jpg'></html>"
        #expect(try Import.remote(page).addresses == ["l", "next"].map { "https://example.org/shows/\($0).jpg" })
    }
}

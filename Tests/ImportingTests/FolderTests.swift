import Foundation
import Importing
import Manifest
import PhotoModel
import TestSupport
import Testing

@Suite struct FolderTests {
    /// The beginning of a JPEG; importing does not read the pixels.
    private static let start: [UInt8] = [0xFF, 0xD8]
    private static let end: [UInt8] = [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    private static let plain = Data(start + end)

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    @Test("Pictures are sorted by name, and subfolders are albums")
    func albums() throws {
        let folder = TemporaryFolder()
        for name in ["IMG_10.jpg", "IMG_9.JPG", "Trip/b.jpg", "Trip/Deep/c.jpg", ".hidden/d.jpg", "a.png"] {
            try folder.write(Self.plain, to: name)
        }
        try folder.write("text", to: "notes.txt")
        try folder.write("<html>", to: "broken.jpg")
        try folder.write(#"{"schema":1,"generator":"gallerygen 1"}"#, to: "public/status.json")
        try folder.write(Self.plain, to: "public/images/x.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/loop", withDestinationPath: folder.path)
        let list = try Importer(listIn: folder.path).list(ofFolder: folder.path)
        #expect(list.addresses == ["a.png", "IMG_9.JPG", "IMG_10.jpg", "Trip/b.jpg", "Trip/Deep/c.jpg"])
        #expect(list.photos.map(\.album) == [[], [], [], ["Trip"], ["Trip", "Deep"]])
        #expect(list.warnings.count == 1 && list.warnings[0].contains("broken.jpg"))
        let manifest = try Import.written(list)
        #expect(manifest.photos.map(\.name) == ["a", "IMG_9", "IMG_10", "b", "c"])
        #expect(manifest.warnings.isEmpty)
    }

    @Test("A file whose name ends in a space is listed by an address that keeps it")
    func spaceAtTheEnd() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.plain, to: "pics/100% lake.jpg ")
        let list = try Importer(listIn: folder.path + "/lists").list(ofFolder: folder.path + "/pics")
        let document = try ImportedDocument(
            list, of: (shown: "a test", identity: "test"), list: folder.path + "/lists/photos.plist")
        let origin = ManifestOrigin.file(path: folder.path + "/lists/photos.plist", shown: "photos.plist")
        let photo = try #require(try ManifestReader(origin: origin).read(document.bytes).photos.first)
        #expect(try photo.source.get().location == .file(folder.path + "/pics/100% lake.jpg "))
    }

    @Test("EXIF gives caption, credit, licence and day")
    func exif() throws {
        let folder = TemporaryFolder()
        let caption = "A long caption. " + String(repeating: "More. ", count: 40)
        let sample = ExifSample(
            picture: [0x010E: .text(caption), 0x013B: .text("Ada"), 0x8298: .text("CC BY")],
            capture: [0x9003: .text("2019:07:04 12:34:56")])
        try folder.write(sample.jpeg(around: Self.plain), to: "a.jpg")
        let photo = try #require(try Importer(listIn: folder.path).list(ofFolder: folder.path).photos.first)
        #expect(photo.details.caption == caption.trimmingCharacters(in: .whitespaces))
        #expect(photo.details.credit == "Ada")
        #expect(photo.details.license == "CC BY")
        #expect(photo.details.date == "2019-07-04T00:00:00Z")
    }

    @Test("XMP takes precedence over IPTC, and IPTC over EXIF")
    func metadata() throws {
        let folder = TemporaryFolder()
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:p="http://ns.adobe.com/photoshop/1.0/"
              xmlns:xmp="http://ns.adobe.com/xap/1.0/" p:Credit="Agency" xmp:Rating="3">
            <dc:title><rdf:Alt><rdf:li xml:lang="de">See</rdf:li>
              <rdf:li xml:lang="x-default">Lake</rdf:li></rdf:Alt></dc:title>
            <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>sky</rdf:li></rdf:Bag></dc:subject>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let caption = Array("Caf".utf8) + [0xE9]
        let record: [UInt8] = [0x1C, 2, 120, 0, UInt8(caption.count)] + caption + [0x1C, 2, 110, 0, 1, 0x58]
        let resources = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(record.count)] + record
        let bytes =
            Self.start + Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8))
            + Self.segment(0xED, Array("Photoshop 3.0\0".utf8) + resources) + Self.end
        try folder.write(bytes, to: "a.jpg")
        let photo = try #require(try Importer(listIn: folder.path).list(ofFolder: folder.path).photos.first)
        #expect(photo.name == "Lake")
        #expect(photo.details.caption == "Café")
        #expect(photo.details.credit == "Agency")
        #expect(photo.details.tags == ["sea", "sky"])
        #expect(photo.details.rating == 3)
    }

    @Test("The lines of a caption in XMP stay")
    func captionLines() throws {
        let folder = TemporaryFolder()
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>
            <rdf:li xml:lang="x-default">Seen at dawn&#xA;by Ada</rdf:li></rdf:Alt></dc:description>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let segment = Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8))
        try folder.write(Self.start + segment + Self.end, to: "a.jpg")
        let photo = try #require(try Importer(listIn: folder.path).list(ofFolder: folder.path).photos.first)
        #expect(photo.details.caption == "Seen at dawn\nby Ada")
    }

    @Test("Metadata that are cut off or have wrong lengths do no harm")
    func hostileNotes() throws {
        let folder = TemporaryFolder()
        let resources = Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [4, 4, 255, 0, 255, 255, 255, 255]
        try folder.write(Self.start + Self.segment(0xED, resources) + [0xFF, 0xE1, 0xFF, 0xFF, 1], to: "a.jpg")
        try folder.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 255, 255, 255, 255], to: "b.png")
        #expect(try Importer(listIn: folder.path).list(ofFolder: folder.path).names == ["a", "b"])
    }

    @Test("Pictures in unsupported formats are counted, with the command that converts them")
    func otherFormats() throws {
        let folder = TemporaryFolder()
        try folder.write([0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0], to: "a.heic")
        try folder.write(Self.plain, to: "b.jpg")
        let list = try Importer(listIn: folder.path).list(ofFolder: folder.path)
        #expect(list.names == ["b"])
        #expect(list.warnings.first?.contains("heif-convert") == true)
    }

    @Test("A list in another folder names the pictures relative to itself, and unusual names are kept")
    func elsewhere() throws {
        let folder = TemporaryFolder()
        for name in ["in/a:b.jpg", "in/url/x & y.jpg", "in/ c.jpg"] { try folder.write(Self.plain, to: name) }
        try folder.write(Self.plain, to: "in/d\u{1B}.jpg")
        let list = try Importer(listIn: folder.path + "/list").list(ofFolder: folder.path + "/in")
        #expect(list.addresses == ["../in/ c.jpg", "../in/a:b.jpg", "../in/url/x & y.jpg"])
        #expect(list.warnings.count == 1)
        let inside = try Importer(listIn: folder.path + "/in").list(ofFolder: folder.path + "/in")
        #expect(inside.addresses == ["./ c.jpg", "./a:b.jpg", "url/x & y.jpg"])
        #expect(try Import.written(inside).photos.map(\.source).allSatisfy { (try? $0.get()) != nil })
    }

    @Test("A folder named like an address key stays an album")
    func keyNames() throws {
        let folder = TemporaryFolder()
        for name in ["Trip/image/a.jpg", "Trip/b.jpg"] { try folder.write(Self.plain, to: name) }
        let manifest = try Import.written(Importer(listIn: folder.path).list(ofFolder: folder.path))
        #expect(manifest.albums == [["Trip"], ["Trip", "Image"]])
        #expect(manifest.photos.count == 2)
    }
}

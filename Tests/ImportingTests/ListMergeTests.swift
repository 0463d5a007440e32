import Foundation
import Importing
import Manifest
import PhotoModel
import Testing

/// Merging a source into a list that was imported from it.
@Suite struct ListMergeTests {
    static let source = (shown: "feed -- one", identity: "https://example.org/feed")
    static let path = "/photos/photos.plist"

    static func list(_ names: String..., albums: [String: [String]] = [:], shape: ImportedList.Shape = .arrays)
        -> ImportedList
    {
        ImportedList(
            photos: names.map { name in
                ImportedPhoto(
                    album: albums[name] ?? [], name: name, address: "https://example.org/\(name).jpg")
            }, shape: shape)
    }

    static func new(_ list: ImportedList) throws -> String {
        String(decoding: try ImportedDocument(list, of: source, list: path).bytes, as: UTF8.self)
    }

    static func merge(_ list: ImportedList, into text: String, of source: (String, String) = source) throws
        -> (text: String, document: ImportedDocument)
    {
        let document = try ImportedDocument(
            merging: list, of: (shown: source.0, identity: source.1), into: Array(text.utf8), list: path,
            today: "2026-11-25")
        return (String(decoding: document.bytes, as: UTF8.self), document)
    }

    static func names(_ text: String) throws -> [String] {
        try Import.read(Array(text.utf8)).photos.map(\.name)
    }

    @Test("Merging the same source again changes no byte")
    func unchanged() throws {
        for shape in [ImportedList.Shape.arrays, .dicts] {
            let list = Self.list("a", "b", "c", albums: ["b": ["X"], "c": ["X", "Y"]], shape: shape)
            let text = try Self.new(list)
            let again = try Self.merge(list, into: text)
            #expect(again.text == text)
            #expect((again.document.added, again.document.missing, again.document.returned) == (0, 0, 0))
        }
    }

    @Test("New entries are inserted at their position in the source", arguments: [ImportedList.Shape.arrays, .dicts])
    func added(_ shape: ImportedList.Shape) throws {
        let text = try Self.new(Self.list("b", "d", shape: shape))
        let merged = try Self.merge(Self.list("a", "a2", "b", "c", "c2", "d", "e", shape: shape), into: text)
        #expect(try Self.names(merged.text) == ["a", "a2", "b", "c", "c2", "d", "e"])
        #expect(merged.document.added == 5)
        #expect(
            merged.text == (try Self.new(Self.list("a", "a2", "b", "c", "c2", "d", "e", shape: shape)))
                || Set(merged.text.split(separator: "\n").dropLast(3)).isSuperset(
                    of: text.split(separator: "\n").dropLast(3))
        )
    }

    @Test("Manual edits stay byte for byte: words, order, comments, own entries and removals")
    func edits() throws {
        let text = """
            <?xml version="1.0"?>
            <plist version="1.0">
            <array>
            \t<!-- mine -->
              <dict>  <key>url</key><string>https://example.org/own.jpg</string></dict> <!-- own -->
            \t<dict>
            \t\t<key>name</key> <string>Bee &amp; me</string>
            \t\t<key>image</key><string>https://example.org/b.jpg</string><key>caption</key><string>My words</string>
            \t</dict>\t<!-- good -->
            </array>
            RECORD
            </plist>
            """
        let fresh = try Self.new(Self.list("a", "b"))
        let record =
            fresh[try #require(fresh.firstRange(of: "<!-- gallerygen")).lowerBound...]
            .prefix { $0 != ">" } + ">"
        let edited = text.replacing("RECORD", with: record)
        #expect(try Self.merge(Self.list("a", "b"), into: edited).text == edited)

        let merged = try Self.merge(Self.list("a", "b", "c"), into: edited)
        #expect(try Self.names(merged.text) == ["own", "Bee & me", "c"])
        let head = try #require(edited.firstRange(of: "<!-- good -->"))
        #expect(merged.text.hasPrefix(edited[..<head.upperBound]))
    }

    /// The list of a source with an array of b and c, which the user has sorted into albums of their own.
    private static func sorted(_ albums: String) throws -> String {
        let text = try new(list("b", "c"))
        let start = try #require(text.firstRange(of: "<array>")).lowerBound
        let end = try #require(text.firstRange(of: "</array>")).upperBound
        return text[..<start] + albums + text[end...]
    }

    static func entry(_ name: String) -> String {
        "<dict><key>name</key><string>\(name)</string>"
            + "<key>url</key><string>https://example.org/\(name).jpg</string></dict>"
    }

    @Test(
        "A new entry stays in the album of its source, whatever albums the entries around it were moved to",
        arguments: [
            // The list has become a dict of albums.
            "<dict>\n<key>Lakes</key><array>[b]</array>\n<key>Hills</key><array>\n[c]\n</array>\n</dict>",
            // The album of one entry is an array.
            "<dict>\n<key>Trip</key>\n<array>\n[b]\n</array>\n<key>c</key>\n[c]\n</dict>",
            // The albums have the keys of new entries.
            "<dict><key>Trip</key><dict><key>a</key>[b]<key>d</key>[c]</dict></dict>",
            "<dict><key>X</key><dict><key>e</key>[b]</dict><key>Y</key><dict><key>Z</key><array>[c]</array></dict>"
                + "</dict>",
        ])
    func moved(albums: String) throws {
        let (b, c) = (Self.entry("b"), Self.entry("c"))
        let text = try Self.sorted(albums.replacing("[b]", with: b).replacing("[c]", with: c))
        let before = try Import.read(Array(text.utf8)).photos.map { [$0.name] + $0.album }
        #expect(before.count == 2)
        let list = Self.list("a", "b", "d", "c", "e")
        let merged = try Self.merge(list, into: text)
        #expect(merged.document.added == 3)
        let after = try Import.read(Array(merged.text.utf8)).photos.map { [$0.name] + $0.album }
        #expect(Set(after) == Set(before + [["a"], ["d"], ["e"]]))
        #expect(merged.text.contains(b) && merged.text.contains(c))
        #expect(try Self.merge(list, into: merged.text).text == merged.text)
    }

    @Test("A new album keeps its name, and a new photo with the same name gets another key")
    func keyOfNewAlbum() throws {
        let text = try Self.new(Self.list("a", shape: .dicts))
        let list = Self.list("a", "X", "b", albums: ["b": ["X"]], shape: .dicts)
        let merged = try Self.merge(list, into: text)
        let photos = try Import.read(Array(merged.text.utf8)).photos.map { [$0.name] + $0.album }
        #expect(photos == [["a"], ["X (2)"], ["b", "X"]])
        #expect(merged.document.warnings.isEmpty)
        #expect(try Self.merge(list, into: merged.text).text == merged.text)
    }

    @Test("Photos of a new album whose key belongs to a photo are added to the album around it, with a warning")
    func takenKeyOfNewAlbum() throws {
        let (b, c) = (Self.entry("b"), Self.entry("c"))
        let text = try Self.sorted("<dict><key>X</key>\(b)<key>c</key>\(c)</dict>")
        let list = Self.list("b", "d", "c", "e", albums: ["d": ["X"], "e": ["X", "Y"]])
        let merged = try Self.merge(list, into: text)
        let photos = try Import.read(Array(merged.text.utf8)).photos.map { [$0.name] + $0.album }
        #expect(photos == [["X"], ["d"], ["c"], ["e"]])
        #expect(merged.document.added == 2)
        #expect(merged.document.warnings.count == 1)
        #expect(merged.text.contains(b) && merged.text.contains(c))
        #expect(try Self.merge(list, into: merged.text).text == merged.text)
    }

    @Test("An entry that left the source is marked once, stays, and loses its mark when it returns")
    func left() throws {
        let text = try Self.new(Self.list("a", "b", "c"))
        let left = try Self.merge(Self.list("a", "c"), into: text)
        #expect(left.document.missing == 1)
        #expect(left.text.contains("<!-- gallerygen: no longer in the source, since 2026-11-25 -->\n    <dict>\n"))
        #expect(try Self.names(left.text) == ["a", "b", "c"])
        let again = try Self.merge(Self.list("a", "c"), into: left.text)
        #expect(again.text == left.text)
        let back = try Self.merge(Self.list("a", "b", "c"), into: left.text)
        #expect(back.document.returned == 1)
        #expect(try Self.names(back.text) == ["a", "b", "c"])
        #expect(!back.text.contains("no longer"))
    }

    @Test("An entry that was added by hand, or comes from another source, is never marked")
    func others() throws {
        let text = try Self.new(Self.list("a"))
        let other = (shown: "other", identity: "other")
        let both = try Self.merge(Self.list("b"), into: text, of: other)
        #expect(try Self.names(both.text) == ["a", "b"])
        #expect(!both.text.contains("no longer"))
        #expect(try Self.merge(Self.list("b"), into: both.text, of: other).text == both.text)
        #expect(try Self.merge(Self.list("a"), into: both.text).text == both.text)
    }

    @Test("A dict gets new albums; an array, which can't hold albums, gets their photos")
    func albums() throws {
        let dict = try Self.new(Self.list("a", shape: .dicts))
        let new = Self.list("a", "b", "c", albums: ["b": ["X"], "c": ["X", "Y"]], shape: .dicts)
        let merged = try Self.merge(new, into: dict)
        #expect(try Import.read(Array(merged.text.utf8)).albums == [["X"], ["X", "Y"]])
        let deeper = Self.list("a", "b", "b2", "c", albums: ["b": ["X"], "b2": ["X"], "c": ["X", "Y"]], shape: .dicts)
        #expect(try Self.names(Self.merge(deeper, into: merged.text).text) == ["a", "b", "b2", "c"])

        let array = try Self.merge(new, into: try Self.new(Self.list("a")))
        #expect(try Self.names(array.text) == ["a", "b", "c"])
        #expect(array.document.warnings.count == 1)
    }

    @Test("A list in one line, an empty one, and one with Windows line breaks get new entries")
    func forms() throws {
        let line = #"<plist><dict><key>own</key><string>own.jpg</string><key>X</key><array/></dict></plist>"#
        let merged = try Self.merge(Self.list("a", "b", albums: ["b": ["X"]]), into: line)
        #expect(try Self.names(merged.text) == ["own", "b", "a"])
        #expect(try Self.names(Self.merge(Self.list("a"), into: "<plist>\n<array>\n</array>\n</plist>").text) == ["a"])
        let windows = try Self.new(Self.list("a")).replacing("\n", with: "\r\n")
        let text = try Self.merge(Self.list("a", "b"), into: windows).text
        #expect(try Self.names(text) == ["a", "b"])
        #expect(text.utf8.count { $0 == 0x0A } == text.utf8.count { $0 == 0x0D })
    }

    @Test("A list of any texts is read back unchanged")
    func anyWords() throws {
        let names = ["<a> & \"b\"", "--", "]]>", "  x\t\ny ", "é", "e\u{301}", "\u{FFFE}\u{0}z", "url"]
        let photos = names.enumerated().map { index, name in
            ImportedPhoto(album: ["--> & <"], name: name, address: "https://example.org/?a=\(index)&b=<>")
        }
        for shape in [ImportedList.Shape.arrays, .dicts] {
            let text = try Self.new(ImportedList(photos: photos, shape: shape))
            #expect(try Import.read(Array(text.utf8)).photos.count == names.count)
            #expect(try Self.merge(ImportedList(photos: photos, shape: shape), into: text).text == text)
        }
    }

    @Test("The first of several addresses identifies an entry with mirrors")
    func mirrors() throws {
        let text = try Self.new(Self.list("a", "b"))
        let b = "<string>https://example.org/b.jpg</string>"
        let edited = text.replacing(b, with: "<array>\(b)<string>https://example.net/b.jpg</string></array>")
        #expect(edited != text)
        #expect(try Self.merge(Self.list("a", "b"), into: edited).text == edited)
        let left = try Self.merge(Self.list("a"), into: edited)
        #expect(left.document.missing == 1)
        let back = try Self.merge(Self.list("a", "b"), into: left.text)
        #expect(back.document.returned == 1)
        #expect(back.text == edited)
    }

    @Test("All entries of an address that left the source are marked, in whatever albums they are")
    func repeatedAddress() throws {
        let photos = ["X", "Y"].map { ImportedPhoto(album: [$0], name: "a", address: "https://example.org/a.jpg") }
        let text = try Self.new(ImportedList(photos: photos + Self.list("b").photos, shape: .dicts))
        let left = try Self.merge(Self.list("b"), into: text)
        #expect(left.document.missing == 2)
        #expect(try Self.merge(Self.list("b"), into: left.text).text == left.text)
    }

    @Test("In a list without line breaks, an entry that left keeps its mark when a new one follows another")
    func marksInOneLine() throws {
        let text = try Self.new(Self.list("a", "b")).replacing("\n", with: " ")
        let left = try Self.merge(Self.list("a"), into: text)
        #expect(left.document.missing == 1)
        let more = try Self.merge(Self.list("a", "c"), into: left.text)
        #expect(more.document.added == 1)
        #expect(try Self.names(more.text) == ["a", "c", "b"])
        #expect(try Self.merge(Self.list("a", "c"), into: more.text).text == more.text)
        let back = try Self.merge(Self.list("a", "c", "b"), into: more.text)
        #expect(back.document.returned == 1)
    }

    @Test("A new photo goes into its album, also if the album's name is a key of addresses")
    func albumNamedLikeAKey() throws {
        func list(_ names: String...) throws -> ImportedList {
            let albums = names.map { "\"\($0)\": \"https://example.org/\($0).jpg\"" }.joined(separator: ", ")
            return try Import.file(#"{"Trip": {"image": {\#(albums)}}}"#)
        }
        let text = try Self.new(list("a"))
        let merged = try Self.merge(list("a", "b"), into: text)
        let photos = try Import.read(Array(merged.text.utf8)).photos
        #expect(photos.map(\.album) == [["Trip", "Image"], ["Trip", "Image"]])
        #expect(merged.document.warnings.isEmpty)
    }

    @Test("Albums that nest deeper than a list allows, or have longer names, are cut")
    func longAlbums() throws {
        let name = String(repeating: "雪", count: 100)
        var text = #"["https://example.org/a.jpg"]"#
        for _ in 0..<20 { text = "{\"\(name)\": \(text)}" }
        #expect(try Import.written(Import.file(text)).photos.map(\.album.count) == [13])
    }

    @Test("A list that declares another encoding than UTF-8 is not changed, even if its bytes are ASCII")
    func declaredEncoding() throws {
        for name in ["ISO-8859-1", "US-ASCII"] {
            let text = try Self.new(Self.list("a")).replacing("UTF-8", with: name)
            #expect(throws: ImportError.listIsNotUTF8) { try Self.merge(Self.list("a", "ü"), into: text) }
        }
        for encoding in ["=\"utf-8\"", "\n=\n'UTF-8'"] {
            let list = try Self.new(Self.list("a")).replacing("=\"UTF-8\"", with: encoding)
            #expect(try Self.merge(Self.list("a", "b"), into: list).document.added == 1)
        }
    }

    @Test("A list that is not UTF-8 is not changed")
    func encoding() throws {
        #expect(throws: ImportError.listIsNotUTF8) {
            try ImportedDocument(
                merging: Self.list("a"), of: Self.source, into: [0xFF, 0xFE], list: Self.path, today: "2026-11-25")
        }
        let utf16: [UInt8] = try Self.new(Self.list("a")).utf8.flatMap { [$0, 0] as [UInt8] }
        #expect(throws: ImportError.listIsNotUTF8) {
            try ImportedDocument(
                merging: Self.list("a"), of: Self.source, into: utf16, list: Self.path, today: "2026-11-25")
        }
    }
}

/// The time for large sources grows in proportion to their size.
@Suite struct LargeImportTests {
    @Test("Twenty thousand photos of one name are written, and merged again, in seconds", .timeLimit(.minutes(1)))
    func manyOfOneName() throws {
        let photos = (0..<20_000).map { index in
            ImportedPhoto(album: ["X"], name: "Same", address: "https://example.org/\(index).jpg")
        }
        let list = ImportedList(photos: photos, shape: .dicts)
        let source = (shown: "feed", identity: "feed")
        let document = try ImportedDocument(list, of: source, list: "/photos/photos.plist")
        let again = try ImportedDocument(
            merging: list, of: source, into: document.bytes, list: "/photos/photos.plist", today: "2026-11-25")
        #expect(again.bytes == document.bytes)
    }
}

import Importing
import Manifest
import PhotoModel
import Testing

@Suite struct AddressTextTests {
    @Test("Each line is an address, and a URL may have a name after it")
    func lines() throws {
        let list = try Import.file(
            "# mine\r\nhttps://example.org/a.jpg\r\n\r\n  sub dir/b c.jpg\r\nhttp://example.org/d.jpg  The lake\r\n")
        #expect(list.addresses == ["https://example.org/a.jpg", "sub dir/b c.jpg", "http://example.org/d.jpg"])
        #expect(list.names == [nil, nil, "The lake"])
    }

    @Test("Relative addresses are resolved against the source, and written relative to the list")
    func relative() throws {
        #expect(
            try Import.file("a.jpg\n../b.jpg\n/c.jpg\n", in: "/photos/in").addresses == ["in/a.jpg", "b.jpg", "/c.jpg"])
        #expect(try Import.file("./c:d.jpg", in: "/photos").addresses == ["./c:d.jpg"])
        #expect(
            try Import.remote("a.jpg\n/b.jpg\n//other.example/c.jpg").addresses == [
                "https://example.org/shows/a.jpg", "https://example.org/b.jpg", "https://other.example/c.jpg",
            ])
    }

    @Test("Addresses that no list can name are counted, and repeats are listed once")
    func unusable() throws {
        let list = try Import.remote(
            "file:///etc/passwd\njavascript:alert(1)\nhttps://example.org/a\nhttps://example.org/a\n")
        #expect(list.addresses == ["https://example.org/a"])
        #expect(list.warnings == ["2 of its lines have no address that a list can name (lines 1 and 2)"])
    }

    @Test("Lines are counted with empty ones and comments, whatever ends them", arguments: ["\n", "\r\n", "\r"])
    func lineNumbers(lineBreak: String) throws {
        let list = try Import.file(["# mine", "", "a.jpg", "no", "", "never"].joined(separator: lineBreak))
        #expect(list.warnings == ["2 of its lines have no address that a list can name (lines 4 and 6)"])
    }

    @Test("A text of sentences is not imported")
    func sentences() throws {
        let list = try Import.file("My pictures of 2025.\nlake.jpg\nsee also the shed\nraw/shed.HEIC\n")
        #expect(list.addresses == ["lake.jpg", "raw/shed.HEIC"])
        #expect(list.warnings == ["2 of its lines have no address that a list can name (lines 1 and 3)"])
        #expect(throws: ImportError.noPhotos(.text)) {
            try Import.file("What this is\n\nA program. It reads a list.\n")
        }
    }

    @Test("An address with a character that XML does not allow is left out, since the list would name another")
    func characters() throws {
        let list = try Import.file("a.jpg\nb\u{FFFF}.jpg\nhttps://example.org/\u{FFFE}.jpg\n")
        #expect(list.addresses == ["a.jpg"])
        #expect(try Import.file("<img src='a.jpg'><img src='%EF%BF%BFb.jpg'>", name: "a.html").addresses == ["a.jpg"])
    }

    @Test("UTF-16 is recognised by its byte order mark")
    func utf16() throws {
        let units = Array("é.jpg\n".utf16)
        let bytes: [UInt8] =
            [0xFF, 0xFE] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(try Import.file(bytes).addresses == ["é.jpg"])
    }

    @Test("A file that is no list is refused with its kind")
    func others() throws {
        func error(_ bytes: [UInt8]) throws -> ImportError {
            try #require(throws: ImportError.self) { try Import.file(bytes) }
        }
        #expect(try error(Array("%PDF-1.7 ".utf8)) == .notAList("a PDF document"))
        #expect(try error([0xFF, 0xD8, 0xFF, 0xE0]) == .picture)
        #expect(try error(Array("<plist version='1.0'/>".utf8)) == .propertyList)
        #expect(try error(Array(" \n".utf8)) == .empty)
        #expect(try error(Array("# nothing\n".utf8)) == .noPhotos(.text))
        #expect(try error(Array("<x/>".utf8)) == .notAList("XML with the root element 'x'"))
    }
}

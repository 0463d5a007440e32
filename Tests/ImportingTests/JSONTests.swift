import Importing
import Manifest
import PhotoModel
import Testing

@Suite struct JSONTests {
    @Test("An array of objects, a list under a member, and JSON Lines mean the same")
    func shapes() throws {
        let photo = #"{"title": "Lake", "url": "https://example.org/a.jpg", "tags": ["sea", "sky"], "year": 1999}"#
        for text in ["[\(photo)]", #"{"count": 1, "items": [\#(photo)]}"#, photo, "\(photo)\n\(photo)\n"] {
            let list = try Import.file(text)
            #expect(list.names == ["Lake"])
            #expect(list.photos[0].details.tags == ["sea", "sky"])
            #expect(list.photos[0].details.date == "1999")
        }
    }

    @Test("An object of names and addresses keeps its order, and objects in it are albums")
    func names() throws {
        let list = try Import.file(#"{"Z": "z.jpg", "A": {"url": "a.jpg"}, "Trip": {"B": "b.jpg"}, "More": ["c.jpg"]}"#)
        #expect(list.names == ["Z", "A", "B", nil])
        #expect(list.photos.map(\.album) == [[], [], ["Trip"], ["More"]])
        #expect(try Import.written(list).photos.map(\.name) == ["Z", "A", "B", "c"])
    }

    @Test("A text of an object without an address is no address, unless it is written like one")
    func texts() throws {
        let list = try Import.file(
            #"""
            {"title": "My photos", "note": "see lake.jpg and more", "Lake": "lake.JPG",
             "Sea": "https://example.org/sea", "Trip": {"about": "a day out", "Shore": "pics/shore.png"}}
            """#)
        #expect(list.addresses == ["lake.JPG", "https://example.org/sea", "pics/shore.png"])
        #expect(list.warnings == ["3 texts in it are not addresses and are left out"])
    }

    @Test("One text that is no address is counted in the singular")
    func oneText() throws {
        let list = try Import.file(#"{"title": "My photos", "Lake": "lake.jpg"}"#)
        #expect(list.warnings == ["1 text in it is not an address and is left out"])
    }

    @Test("A record without an address gives no photo of its other texts")
    func recordsWithoutAddress() throws {
        let caption = #"{"image/key": "1a2b", "caption": "A hen", "page": "https://example.org/1a2b"}"#
        for text in ["[" + caption + "," + caption + "]", caption + "\n" + caption, #"{"items": [\#(caption)]}"#] {
            #expect(throws: ImportError.noPhotos(.json)) { try Import.file(text) }
        }
        let photo = #"{"file": "a.jpg", "caption": "A hen"}"#
        let list = try Import.file(#"[\#(caption), \#(photo), {"name": "More", "photos": [{"url": "b.jpg"}]}]"#)
        #expect(list.addresses == ["a.jpg", "b.jpg"])
        #expect(list.warnings == ["1 of its entries have no address that a list can name"])
    }

    @Test("In JSON Lines, warnings name the lines")
    func lineNumbers() throws {
        let list = try Import.file(
            #"""
            {"url": "a.jpg", "filter": "Ha"}

            {"caption": "A hen"}
            ["b.jpg",
             "a note"]
            {"caption": "A hen"}
            {"url": "c.jpg", "filter": "OIII"}
            """#, name: "list.jsonl")
        #expect(list.addresses == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(
            list.warnings == [
                "2 of its entries have no address that a list can name (lines 3 and 6)",
                "2 filters are left out, because they are none of gallerygen's (lines 1 and 7)",
                "1 text in it is not an address and is left out (line 4)",
            ])
    }

    @Test(
        "The photos of a document count, not its own address",
        arguments: [
            #"{"url": "https://example.org/photos?page=1", "count": 1, "results": [{"name": "Lake", "src": "a.jpg"}]}"#,
            #"{"icon": "icon.png", "items": [{"title": "Lake", "image": "a.jpg"}]}"#,
            #"{"href": "/all", "data": [{"id": "1", "attributes": {"name": "Lake", "url": "a.jpg"}}]}"#,
            #"{"title": "Trip", "picture": "cover.jpg", "photos": [{"name": "Lake", "url": "a.jpg"}]}"#,
            #"{"Icon": {"url": "icon.png"}, "data": [{"name": "Lake", "url": "a.jpg"}]}"#,
            #"{"path": "/albums/1", "data": [{"name": "Lake", "url": "a.jpg"}]}"#,
            #"{"filename": "export.json", "results": [{"name": "Lake", "url": "a.jpg"}]}"#,
        ])
    func documentWithAddress(_ text: String) throws {
        let list = try Import.file(text)
        #expect(list.addresses == ["a.jpg"])
        #expect(list.names == ["Lake"])
        #expect(list.warnings.isEmpty)
    }

    @Test("An object with its own address is a photo if its members have none")
    func photoWithDetails() throws {
        let list = try Import.file(#"{"url": "a.jpg", "data": [{"lens": "50 mm"}]}"#)
        #expect(list.addresses == ["a.jpg"])
    }

    @Test("The fields of a record name no photo and no album")
    func nestedRecords() throws {
        let places = try Import.file(
            #"""
            {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point",
             "coordinates": [1, 2]}, "properties": {"name": "Lake", "photo": "a.jpg"}}]}
            """#)
        #expect(places.names == ["Lake"])
        #expect(places.photos[0].album.isEmpty && places.warnings.isEmpty)
        let feed = try Import.file(
            #"{"items": [{"title": "Sea", "attachments": [{"url": "b.jpg"}, {"url": "c.jpg", "title": "Shore"}]}]}"#)
        #expect(feed.names == ["Sea", "Shore"])
        #expect(feed.photos.allSatisfy { $0.album.isEmpty })
    }

    @Test("A record that has a name and a list of photos is an album")
    func albumRecords() throws {
        let list = try Import.file(
            #"{"albums": [{"title": "Iceland", "photos": [{"url": "a.jpg", "name": "Ice"}, {"url": "b.jpg"}]}]}"#)
        #expect(list.photos.map(\.album) == [["Iceland"], ["Iceland"]])
        #expect(list.names == ["Ice", nil])
    }

    @Test("Names and addresses are read within records too")
    func namesInRecords() throws {
        let named = try Import.file(
            #"""
            [{"title": "Iceland", "cover": {"url": "c.jpg"}, "photos": {"Ice": "a.jpg", "Sea": "b.jpg"}},
             {"Norway": {"Fjord": {"url": "d.jpg"}}}, {"Malta": ["e.jpg"]}]
            """#)
        #expect(named.addresses == ["c.jpg", "a.jpg", "b.jpg", "d.jpg", "e.jpg"])
        #expect(named.names == ["Iceland", "Ice", "Sea", "Fjord", nil])
        #expect(named.photos.map(\.album) == [[], ["Iceland"], ["Iceland"], ["Norway"], ["Malta"]])
        let rest = try Import.file(
            #"{"albums": [{"title": "I", "photos": [{"url": "a.jpg"}]}], "singles": [{"url": "b.jpg"}]}"#)
        #expect(rest.addresses == ["a.jpg", "b.jpg"])
    }

    @Test(
        "Names and addresses in a record are photos, whatever else the record has",
        arguments: [
            (#"[{"id": 1, "photos": {"Ice": "a.jpg", "Sea": "b.jpg"}}]"#, []),
            (#"[{"title": "Trip", "pictures": {"Ice": "a.jpg", "Sea": "b.jpg"}}]"#, ["Trip"]),
            (#"[{"title": "Trip", "cover": {"url": " "}, "Photos": {"Ice": "a.jpg", "Sea": "b.jpg"}}]"#, ["Trip"]),
            (#"[{"year": 2020, "Iceland": {"Ice": "a.jpg", "Sea": "b.jpg"}}]"#, ["Iceland"]),
        ])
    func namesInFields(_ text: String, _ album: [String]) throws {
        let list = try Import.file(text)
        #expect(list.addresses == ["a.jpg", "b.jpg"])
        #expect(list.names == ["Ice", "Sea"])
        #expect(list.photos.allSatisfy { $0.album == album })
    }

    @Test("Of several sizes of a picture, the best is listed")
    func sizes() throws {
        let list = try Import.file(
            #"""
            {"photos": [{"id": 1, "src": {"small": "https://example.org/s", "large": "https://example.org/l"}},
             {"id": "2", "urls": {"full": "https://example.org/f", "raw": "https://example.org/r"}},
             {"id": "3", "title": "Sea", "urls": {"xlarge": "https://example.org/x.jpg", "tiny": "t.jpg"}},
             {"id": "4", "images": {"small": {"url": "https://example.org/t"},
                                    "original": {"url": "https://example.org/o"}}},
             {"title": "Sky", "image_urls": {"small": "s.jpg", "large": "https://example.org/y.jpg"}}]}
            """#)
        #expect(list.names == [nil, nil, "Sea", nil, "Sky"])
        #expect(
            list.addresses == [
                "https://example.org/l", "https://example.org/r", "https://example.org/x.jpg", "https://example.org/o",
                "https://example.org/y.jpg",
            ])
    }

    @Test("The metadata and the links of a record are no photos")
    func details() throws {
        let list = try Import.file(
            #"""
            [{"title": "Trip", "photos": [{"url": "a.jpg"}],
              "metadata": {"original_filename": "IMG_1.jpg", "camera": "X"},
              "links": {"self": "https://example.org/1", "download": "https://example.org/1.jpg"}}]
            """#)
        #expect(list.addresses == ["a.jpg"])
    }

    @Test("An entry without an address is counted once, whatever is in it")
    func entriesWithoutAddress() throws {
        let list = try Import.file(
            #"""
            [{"title": "A", "attachments": [{"url": "ftp://example.org/a.jpg"}]},
             {"title": "B", "photos": [{"name": "x"}, {"name": "y"}]}, {"url": "b.jpg"}]
            """#)
        #expect(list.addresses == ["b.jpg"])
        #expect(list.warnings == ["3 of its entries have no address that a list can name"])
    }

    @Test("A document with a picture of its own is that photo, whatever its details have")
    func documentOfOnePhoto() throws {
        let list = try Import.file(#"{"url": "a.jpg", "name": "Lake", "data": [{"lens": "50 mm", "source": "EXIF"}]}"#)
        #expect(list.addresses == ["a.jpg"])
        #expect(list.names == ["Lake"])
        #expect(list.warnings.isEmpty)
    }

    @Test(
        "A document with a picture of its own and other media has all of them",
        arguments: [
            #"{"image": "a.jpg", "name": "Lake", "media": [{"url": "s.jpg"}, {"url": "m.jpg"}]}"#,
            #"{"contentUrl": "a.jpg", "name": "Lake", "media": [{"href": "s.jpg"}, "m.jpg"]}"#,
        ])
    func documentWithMedia(_ text: String) throws {
        let list = try Import.file(text)
        #expect(list.addresses == ["a.jpg", "s.jpg", "m.jpg"])
        #expect(list.names == ["Lake", nil, nil])
    }

    @Test("The address of a IIIF image service gives the full picture, in JSON and in CSV")
    func imageServices() throws {
        let picture = "https://example.org/iiif/1/full/full/0/default.jpg"
        for address in ["https://example.org/iiif/1", " https://example.org/iiif/1/info.json ", picture] {
            #expect(try Import.file(#"[{"iiif_url": "\#(address)"}]"#).addresses == [picture])
        }
        let file = "https://example.org/a/full.jpg"
        #expect(try Import.file(#"[{"iiif_url": "\#(file)"}]"#).addresses == [file])
        let manifest = #"[{"iiif_url": "https://example.org/iiif/1/manifest.json"}, {"url": "b.jpg"}]"#
        #expect(try Import.file(manifest).addresses == ["b.jpg"])
        let named = #"[{"iiif_service": {"url": "https://example.org/iiif/1.tif"}}]"#
        #expect(try Import.file(named).addresses == ["https://example.org/iiif/1.tif/full/full/0/default.jpg"])
        let table = try Import.file("name,iiif_url\nA,https://example.org/iiif/1\nB,\n", name: "list.csv")
        #expect(table.addresses == [picture])
        #expect(table.warnings == ["1 of its entries have no address that a list can name (row 3)"])
    }

    @Test("A picture's own address takes precedence over that of its page")
    func pictureFirst() throws {
        let list = try Import.remote(#"[{"url": "/page", "image": {"url": "/a.jpg"}, "author": {"name": "Ada"}}]"#)
        #expect(list.addresses == ["https://example.org/a.jpg"])
        #expect(list.photos[0].details.link == "https://example.org/page")
        #expect(list.photos[0].details.credit == "Ada")
    }

    @Test("Escapes are read, and unpaired surrogates replaced")
    func escapes() throws {
        #expect(try Import.file(#"{"\u00e9\ud83d\ude00\ud83d\n": "a.jpg"}"#).names == ["é😀\u{FFFD}"])
    }

    @Test(
        "The error about a mistake gives its line and column",
        arguments: [
            ("[\n  \"a\", x]", JSONFault.unexpected("x"), 2, 8), ("[1", .endOfText, 1, 3),
            ("{\"a\": \"b", .endOfText, 1, 9), ("[1e]", .badNumber, 1, 2), ("[\"\\x\"]", .badEscape, 1, 3),
        ])
    func faults(_ text: String, _ fault: JSONFault, _ line: Int, _ column: Int) throws {
        let error = try #require(throws: ImportError.self) { try Import.file(text) }
        #expect(error == .json(fault, line: line, column: column))
    }

    @Test("The depth of nesting is limited")
    func nesting() throws {
        let error = try #require(throws: ImportError.self) { try Import.file(String(repeating: "[", count: 1_000_000)) }
        #expect(error == .json(.tooDeep(limit: 64), line: 1, column: 65))
    }

    @Test("The status.json of another gallery gives the sources, or its pictures where the sources are hidden")
    func status() throws {
        let list = try Import.remote(
            #"""
            {"schema":1,"generator":"gallerygen 1.0.0","title":"T","photos":[
            {"name":"Lake","slug":"lake","album":["Trip"],"source":"https://example.net/lake.jpg","images":[],
             "page":"photo/lake.html"},
            {"name":"Sea","album":[],"source":"https://…","images":[{"path":"images/s-400.jpg"},
             {"path":"images/s-800.jpg"}],
             "original":{"path":"images/o.jpg"},"page":"photo/sea.html"},
            {"name":"Sky","album":[],"source":"sky.jpg","images":[{"path":"images/k-800.jpg"}],"original":null}]}
            """#, at: "https://example.org/g/status.json")
        #expect(
            list.addresses == [
                "https://example.net/lake.jpg", "https://example.org/g/images/o.jpg",
                "https://example.org/g/images/k-800.jpg",
            ])
        #expect(list.photos[0].album == ["Trip"])
        #expect(list.photos[0].details.link == "https://example.org/g/photo/lake.html")
    }
}

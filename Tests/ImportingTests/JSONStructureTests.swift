import Importing
import PhotoModel
import Testing

/// The structures of JSON in which photos are found, and what counts when an object has several addresses.
@Suite struct JSONStructureTests {
    @Test("A text that is no address is counted, and hides no named picture")
    func emptyTexts() throws {
        let list = try Import.file(
            #"[{"year": 2020, "Iceland": {"Ice": "a.jpg", "Fog": "c.jpg", "Sea": ""}, "Norway": {"Oslo": "o.jpg"}}]"#)
        #expect(list.addresses == ["a.jpg", "c.jpg", "o.jpg"])
        #expect(list.names == ["Ice", "Fog", "Oslo"])
        #expect(list.photos.map(\.album) == [["Iceland"], ["Iceland"], ["Norway"]])
        #expect(list.warnings == ["1 text in it is not an address and is left out"])
        let note = try Import.file(#"[{"year": 2020, "Iceland": {"Ice": "a.jpg", "note": "first", "Fog": "c.jpg"}}]"#)
        #expect(note.names == ["Ice", "Fog"])
        #expect(note.warnings == ["1 text in it is not an address and is left out"])
    }

    @Test("All lists of a document count")
    func severalLists() throws {
        let list = try Import.file(
            #"""
            {"title": "Home", "photos": [{"url": "a.jpg"}],
             "albums": [{"title": "Iceland", "photos": [{"url": "b.jpg"}, {"url": "c.jpg"}]}]}
            """#)
        #expect(list.addresses == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(list.photos.map(\.album) == [[], ["Iceland"], ["Iceland"]])
        #expect(list.warnings.isEmpty)
        let mixed = try Import.file(
            #"{"Lake": "l.jpg", "photos": ["https://example.org/1", {"url": "b.jpg"}], "Trip": {"Sea": "s.jpg"}}"#)
        #expect(mixed.addresses == ["l.jpg", "https://example.org/1", "b.jpg", "s.jpg"])
        #expect(mixed.photos.map(\.album) == [[], [], [], ["Trip"]])
    }

    @Test(
        "The entries of a list are the photos, and not the page or the cover of what has the list",
        arguments: [
            #"{"title": "Trip", "image": "cover.jpg", "images": [{"url": "1.jpg"}, {"url": "2.jpg"}]}"#,
            #"{"title": "Trip", "cover": "cover.jpg", "pictures": ["1.jpg", {"url": "2.jpg"}]}"#,
            #"{"url": "https://example.org/trip", "photos": ["1.jpg", "2.jpg"]}"#,
            #"[{"title": "Iceland", "url": "https://example.org/iceland", "photos": [{"url": "1.jpg"}, "2.jpg"]}]"#,
            #"[{"title": "Pen", "thumbnail": "t.jpg", "images": ["1.jpg", "2.jpg"]}]"#,
            #"[{"name": "Pen", "image": ["1.jpg", "2.jpg"], "url": "https://example.org/pen"}]"#,
            #"{"source": {"url": "https://example.org/api", "photos": ["1.jpg", "2.jpg"]}}"#,
            #"[{"content": {"href": "https://example.org/api", "photos": ["1.jpg", "2.jpg"]}}]"#,
            #"{"Trip": {"url": "https://example.org/trip", "photos": ["1.jpg", "2.jpg"]}}"#,
        ])
    func pagesAndCovers(_ text: String) throws {
        let list = try Import.file(text)
        #expect(list.addresses == ["1.jpg", "2.jpg"])
        #expect(list.warnings.isEmpty)
    }

    @Test("A record's own picture and its other pictures are all photos, each of them once")
    func recordWithPictures() throws {
        let list = try Import.file(
            #"""
            [{"title": "Quail", "primaryImage": "https://example.org/1.jpg", "primaryImageSmall": "s.jpg",
              "additionalImages": ["https://example.org/2.jpg"]},
             {"title": "Hen", "image": "3.jpg", "photos": ["3.jpg", "4.jpg"]}]
            """#)
        #expect(list.addresses == ["https://example.org/1.jpg", "https://example.org/2.jpg", "3.jpg", "4.jpg"])
        #expect(list.names == ["Quail", "Quail", nil, nil])
        #expect(list.photos.map(\.album) == [[], [], ["Hen"], ["Hen"]])
    }

    @Test("An object with sizes only is one picture, and any other key names a picture")
    func sizesAndNames() throws {
        let views = try Import.file(
            #"[{"title": "Gate", "views": {"full": "f.jpg", "north": "n.jpg", "south": "s.jpg"}}]"#)
        #expect(views.addresses == ["f.jpg", "n.jpg", "s.jpg"])
        #expect(views.names == ["full", "north", "south"])
        #expect(views.photos.allSatisfy { $0.album == ["Gate", "views"] })
        let photos = try Import.file(
            #"""
            [{"title": "House", "photos": {"original": "o.jpg", "garden": "g.jpg"}},
             {"id": 1, "title": "Shed", "versions": {"original": "p.jpg", "edited": "e.jpg"}}]
            """#)
        #expect(photos.addresses == ["o.jpg", "g.jpg", "p.jpg", "e.jpg"])
        let sizes = try Import.file(
            #"""
            {"photos": [{"id": 1, "alt": "Rocks", "src": {"original": "", "large": "https://example.org/l"}},
             {"image_urls": {"small": "s.jpg", "large": "https://example.org/y.jpg", "blurhash": "LEHV6nWB2yk8"}},
             {"title": "Sky", "media": {"m": "https://example.org/1_m.jpg"}, "link": "https://example.org/1/"},
             {"title": "Bay", "image": {"current": {"icon": "i.jpg", "preview": "https://example.org/p.jpg"}}}]}
            """#)
        #expect(
            sizes.addresses == [
                "https://example.org/l", "https://example.org/y.jpg", "https://example.org/1_m.jpg",
                "https://example.org/p.jpg",
            ])
        #expect(sizes.names == [nil, nil, "Sky", "Bay"])
        #expect(sizes.photos[0].details.alt == "Rocks")
        #expect(sizes.photos[2].details.link == "https://example.org/1/")
    }

    @Test(
        "The address of a picture takes precedence over those of a page, an icon, a thumbnail and a local file name",
        arguments: [
            #"{"filename": "IMG_1.jpg", "url": "https://example.org/a.jpg"}"#,
            #"{"filename": "I.jpg", "baseUrl": "https://example.org/a.jpg", "productUrl": "https://example.org/1"}"#,
            #"{"image": null, "url": "https://example.org/a.jpg"}"#,
            #"{"image": " ", "photo": {"url": ""}, "url": "https://example.org/a.jpg"}"#,
            #"{"icon": "pin.png", "photo": "https://example.org/a.jpg"}"#,
            #"{"thumbnail": {"source": "t.jpg"}, "originalimage": {"source": "https://example.org/a.jpg"}}"#,
            #"{"url": "https://example.org/1", "download_url": "https://example.org/a.jpg"}"#,
            #"{"source": "flickr", "url": "https://example.org/a.jpg", "thumbnail": "https://example.org/t/"}"#,
            #"{"url": "https://example.org/a.jpg", "hdurl": "https://example.org/b", "preview": {"url": "p.jpg"}}"#,
            #"{"url_l": "https://example.org/a_b.jpg", "url_o": "https://example.org/a.jpg"}"#,
            #"{"url": "https://example.org/1", "primaryimageurl": "https://example.org/a.jpg"}"#,
            #"{"url": "https://example.org/1", "media_attachments": [{"url": "https://example.org/a.jpg"}]}"#,
            #"{"edmPreview": ["https://example.org/t"], "edmIsShownBy": ["https://example.org/a.jpg"]}"#,
            #"{"url": "edanmdm:1", "content": {"media": [{"content": "https://example.org/a.jpg"}]}}"#,
            #"{"thumbnail": "t.jpg", "preferred": {"url": "p.jpg"}, "original": {"url": "https://example.org/a.jpg"}}"#,
            #"{"previewURL": "p.jpg", "largeImageURL": "https://example.org/a.jpg", "userImageURL": "u.jpg"}"#,
            #"{"href": "https://example.org/c.json", "links": [{"href": "https://example.org/a.jpg"}]}"#,
            #"{"url": "https://example.org/a.jpg", "thumbnails": {"small": "https://example.org/s.jpg"}}"#,
            #"{"url": "https://example.org/a.jpg", "formats": {"large": {"url": "l.jpg"}, "small": {"url": "s.jpg"}}}"#,
            #"{"url": "https://example.org/1", "path": "https://example.org/a.jpg", "thumbs": {"large": "l.jpg"}}"#,
            #"{"id": 1, "sizes": [{"width": 9, "url": "s.jpg"}, {"width": 80, "url": "https://example.org/a.jpg"}]}"#,
            #"{"filename": "1.jpg", "thumbnails": {"full": {"url": "https://example.org/a.jpg"}}}"#,
            #"{"file": "IMG_1.jpg", "element_url": "https://example.org/a.jpg"}"#,
            #"{"FileName": "IMG_1.jpg", "SourceFile": "https://example.org/a.jpg"}"#,
            #"{"photo": "Photo by Ann", "url": "https://example.org/a.jpg"}"#,
            #"{"media_url": "https://example.org/1.mp4", "thumbnail_url": "https://example.org/a.jpg"}"#,
            #"{"url": "https://example.org/1", "snapshot": "https://example.org/a.jpg"}"#,
            #"{"title": "Lake", "link": "https://example.org/a.jpg"}"#,
            #"{"type": "node", "tags": {"name": "Hut", "image": "https://example.org/a.jpg"}}"#,
        ])
    func precedence(_ record: String) throws {
        #expect(try Import.file("[\(record)]").addresses == ["https://example.org/a.jpg"])
        #expect(try Import.file(#"{"items": [\#(record)]}"#).addresses == ["https://example.org/a.jpg"])
    }

    @Test("Three sizes of one picture in a record are one photo, but pictures that may be others are listed")
    func sizesInArray() throws {
        func pictures(_ sizes: [(Int, Int)], more: String = "", key: String = "images") throws -> [String] {
            let images = sizes.map { width, height in
                let url = "https://example.org/\(width)x\(height)"
                return #"{"url": "\#(url)", "width": \#(width), "height": \#(height)\#(more)}"#
            }
            return try Import.file(#"[{"name": "Lake", "\#(key)": [\#(images.joined(separator: ","))]}]"#).addresses
        }
        #expect(try pictures([(64, 64), (640, 640), (300, 300)]) == ["https://example.org/640x640"])
        #expect(try pictures([(1536, 2048), (720, 960), (97, 130)]) == ["https://example.org/1536x2048"])
        #expect(try pictures([(640, 640), (300, 300), (64, 64)], key: "files").count == 3)
        #expect(try pictures([(640, 640), (300, 300), (64, 64)], key: "photos").count == 3)
        #expect(try pictures([(640, 640), (300, 300)]).count == 2)
        #expect(try pictures([(640, 640), (300, 300), (300, 301)]).count == 3)
        #expect(try pictures([(640, 640), (300, 300), (64, 48)]).count == 3)
        #expect(try pictures([(640, 640), (300, 300), (64, 64)], more: #", "alt": "Shore""#).count == 3)
    }

    @Test(
        "Links, licences, pictures of people, folders, other files and texts with colons are no photos",
        arguments: [
            #"{"message": "Limit exceeded", "documentation_url": "https://example.org/rate"}"#,
            #"{"@context": "https://schema.example", "id": "https://example.org/1", "rights": "https://example.org"}"#,
            #"{"self": "https://example.org/1", "next_page": "https://example.org/2", "title": "File:Lake.jpg"}"#,
            #"[{"title": "Lake", "license": {"url": "https://example.org/by.png"}, "next": "https://example.org/2"}]"#,
            #"[{"title": "File:Lake.jpg", "user": {"name": "Ann", "profile_image": {"small": "ann.jpg"}}}]"#,
            #"[{"title": "Lake", "avatar": "a.jpg", "descriptionurl": "https://example.org/wiki/File:Lake.jpg"}]"#,
            #"{"total": 1, "license_links": ["https://example.org/by"], "license_page": "https://example.org/by"}"#,
            #"[{"name": "2020", "path": "2020", "isDir": true}, {"name": "A", "file": "notes.txt"}]"#,
            #"["https://example.org/1.mp4", {"image": "https://example.org/1.pdf"}, {"uri": "2.mov"}]"#,
            #"{"data": [{"title": "Lake", "image_id": "1"}], "config": {"iiif_url": "https://example.org/iiif/2"}}"#,
        ])
    func noPhotos(_ text: String) throws {
        #expect(throws: ImportError.noPhotos(.json)) { try Import.file(text) }
    }

    @Test("The people of a feed, its icons and its pages are no photos")
    func feeds() throws {
        let list = try Import.file(
            #"""
            {"version": "https://example.org/version/1.1", "title": "Feed", "home_page_url": "https://example.org/",
             "icon": "https://example.org/icon.png", "favicon": "https://example.org/fav.png",
             "authors": [{"name": "Ann", "url": "https://example.org/ann", "avatar": "https://example.org/ann.jpg"}],
             "items": [{"url": "https://example.org/1", "title": "Lake", "image": "https://example.org/1.jpg",
                        "preview": {"images": [{"url": "https://example.org/s.jpg"}]}},
                       {"title": "Sea", "attachments": [{"url": "https://example.org/2.jpg"}]}]}
            """#)
        #expect(list.addresses == ["https://example.org/1.jpg", "https://example.org/2.jpg"])
        #expect(list.names == ["Lake", "Sea"])
        #expect(list.warnings.isEmpty)
    }

    @Test("A picture's own address and the links of its record give one photo")
    func links() throws {
        let list = try Import.file(
            #"""
            [{"title": "Lake", "files": [{"url": "https://example.org/1.jpg"}],
              "_links": {"self": {"href": "https://example.org/1"}, "image": {"href": "https://example.org/2.jpg"}},
              "urls": {"detail": "https://example.org/1", "edit": "https://example.org/1/edit"}}]
            """#)
        #expect(list.addresses == ["https://example.org/1.jpg"])
        #expect(list.names == ["Lake"])
    }

    @Test("In a map any key names a picture, also one that is a detail of records")
    func anyName() throws {
        let list = try Import.file(
            #"{"Next": "n.jpg", "Help": "h.jpg", "Title": "t.jpg", "next": "https://example.org/2"}"#)
        #expect(list.names == ["Next", "Help", "Title"])
        #expect(list.warnings.isEmpty)
    }

    @Test("An object or an array of addresses only has photos, whatever the addresses end with")
    func addressesOnly() throws {
        for text in [
            #"{"Lake": "https://example.org/1", "Sea": "https://example.org/2"}"#,
            #"[{"Lake": "https://example.org/1"}, {"Sea": "https://example.org/2"}]"#,
            #"[{"id": 1, "views": {"Lake": "https://example.org/1", "Sea": "https://example.org/2"}}]"#,
        ] {
            let list = try Import.file(text)
            #expect(list.addresses == ["https://example.org/1", "https://example.org/2"])
            #expect(list.names == ["Lake", "Sea"])
        }
        let details = try Import.file(
            #"[{"name": "Luke", "films": ["https://example.org/films/1"], "photo": "https://example.org/1"}]"#)
        #expect(details.addresses == ["https://example.org/1"])
    }

    @Test(
        "A key is a size only in an object of sizes",
        arguments: [
            (#"{"Cams": {"A": "https://example.org/1", "Square": "https://example.org/2"}}"#, ["Cams"]),
            (#"{"Cams": {"A": {"url": "https://example.org/1"}, "Full": "https://example.org/2"}}"#, ["Cams"]),
            (#"{"Portrait": {"url": "https://example.org/1"}, "Landscape": {"url": "https://example.org/2"}}"#, []),
            (#"{"Portrait": "https://example.org/1", "Landscape": "https://example.org/2"}"#, []),
            (
                #"{"Cams": {"A": {"image": "https://example.org/1"}, "Raw": {"image": "https://example.org/2"}}}"#,
                ["Cams"]
            ),
            (
                #"[{"id": 1, "map": "https://a", "large": "https://example.org/1", "small": "https://example.org/2"}]"#,
                []
            ),
        ])
    func namesLikeSizes(_ text: String, _ album: [String]) throws {
        let list = try Import.file(text)
        #expect(list.addresses == ["https://example.org/1", "https://example.org/2"])
        #expect(list.photos.allSatisfy { $0.album == album })
    }

    @Test(
        "A cover, a page or a list beside named addresses removes none of them",
        arguments: [
            #""cover": "c.jpg""#, #""image": "c.jpg""#, #""icon": "c.png""#, #""url": "https://example.org/""#,
            #""photos": ["c.jpg"]"#, #""items": [{"url": "c.jpg"}]"#, #""source": "https://example.org/""#,
            #""path": "/cams""#,
        ])
    func besideNames(_ member: String) throws {
        for text in [
            #"{\#(member), "A": "https://example.org/1", "B": "https://example.org/2"}"#,
            #"{\#(member), "A": {"url": "https://example.org/1"}, "B": {"url": "https://example.org/2"}}"#,
            #"{\#(member), "Cams": {"A": "https://example.org/1", "B": {"url": "https://example.org/2"}}}"#,
            #"{\#(member), "Cams": [{"name": "A", "url": "https://example.org/1"}, "https://example.org/2"]}"#,
            #"{"Cams": {\#(member), "A": "https://example.org/1", "B": "https://example.org/2"}}"#,
            #"{"Cams": {\#(member), "A": {"url": "https://example.org/1"}, "B": {"url": "https://example.org/2"}}}"#,
            #"[{"name": "A", "photos": {\#(member), "A": "https://example.org/1", "B": "https://example.org/2"}}]"#,
            #"[{\#(member), "id": 1, "cams": [{"url": "https://example.org/1"}, {"url": "https://example.org/2"}]}]"#,
        ] {
            let addresses = try Import.file(text).addresses.filter {
                $0.hasPrefix("https://example.org/") && $0.count > 20
            }
            #expect(addresses == ["https://example.org/1", "https://example.org/2"], "\(text)")
        }
    }

    @Test(
        "The URL of a record is a photo, unless its picture has a key of its own or a list",
        arguments: [
            (#""flag": "n.png""#, ["https://example.org/1", "n.png"]),
            (#""icon": "n.png""#, ["https://example.org/1", "n.png"]),
            (#""cover": "n.png""#, ["https://example.org/1", "n.png"]),
            (#""thumbnail": "n.png""#, ["https://example.org/1"]),
            (#""banner": {"url": "n.png"}"#, ["https://example.org/1", "n.png"]),
            (#""provider": {"name": "P", "image": "n.png"}"#, ["https://example.org/1"]),
            (#""location": {"name": "Oslo", "map": "n.png"}"#, ["https://example.org/1", "n.png"]),
            (#""country": {"code": "no", "flag": "n.svg"}"#, ["https://example.org/1", "n.svg"]),
            (#""nearby": [{"name": "B", "image": "n.png"}]"#, ["https://example.org/1", "n.png"]),
            (
                #""nearby": [{"name": "B", "url": "https://example.org/2"}]"#,
                ["https://example.org/1", "https://example.org/2"]
            ),
            (#""path": "/1""#, ["https://example.org/1"]),
            (#""urlToImage": "n.png""#, ["n.png"]), (#""photo_large": "n.png""#, ["n.png"]),
            (#""snapshot_url": "n.png""#, ["n.png"]),
            (#""author_image": "n.png""#, ["https://example.org/1", "n.png"]),
            (#""attachments": [{"url": "n.png"}]"#, ["n.png"]), (#""online_media": ["n.png"]"#, ["n.png"]),
            (#""enclosures": [{"url": "https://example.org/2"}]"#, ["https://example.org/2"]),
        ])
    func recordsWithURLs(_ member: String, _ addresses: [String]) throws {
        for text in [
            #"[{"name": "A", "url": "https://example.org/1", \#(member)}]"#,
            #"{"cams": [{\#(member), "name": "A", "url": "https://example.org/1"}]}"#,
        ] {
            #expect(try Import.file(text).addresses == addresses, "\(text)")
        }
    }

    @Test(
        "The elements of an array are all photos if one of them ends like a picture",
        arguments: [
            #"[{"name": "A", "cams": [{"url": "https://example.org/1"}, {"url": "2.jpg"}]}]"#,
            #"[{"name": "A", "image": "0.jpg", "pics": ["https://example.org/1", "2.jpg"]}]"#,
            #"[{"name": "A", "pics": ["https://example.org/1", "2.jpg", "A note"]}]"#,
        ])
    func siblings(_ text: String) throws {
        #expect(try Import.file(text).addresses.suffix(2) == ["https://example.org/1", "2.jpg"])
    }

    @Test(
        "In an object without fields, any key names an album or a photo",
        arguments: [
            #"{"Documentation": ["1.jpg", "2.jpg"], "Help": ["3.jpg"]}"#,
            #"{"Contributors": {"Ann": "1.jpg", "Bob": "2.jpg"}, "Places": {"Sea": "3.jpg"}}"#,
            #"{"Movies": {"Avatar": "1.jpg", "Titanic": "2.jpg"}, "Users": {"Ann": {"photo": "3.jpg"}}}"#,
            #"{"Portraits": {"Owner": ["1.jpg"], "User": {"url": "2.jpg"}, "Sea": ["3.jpg"]}}"#,
            #"{"title": "Home", "Owner": "1.jpg", "Lake": "2.jpg", "Avatar": "3.jpg"}"#,
            #"{"title": "Home", "Portraits": {"License": ["1.jpg"], "Author": {"url": "2.jpg"}, "Tags": "3.jpg"}}"#,
        ])
    func detailWords(_ text: String) throws {
        #expect(try Import.file(text).addresses == ["1.jpg", "2.jpg", "3.jpg"])
    }
}

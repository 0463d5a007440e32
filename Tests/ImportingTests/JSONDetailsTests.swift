import Importing
import Manifest
import PhotoModel
import Testing

private let words = #""title": "Pen", "photographer": "Ann", "license": "CC BY 4.0", "caption": "A pen""#

/// Words of JSON become the details of the photos that they describe, and of no others.
@Suite struct JSONDetailsTests {
    @Test(
        "What a record says of its photo holds for all pictures of the record",
        arguments: [
            #"[{\#(words), "image": ["1.jpg", "2.jpg"]}]"#,
            #"[{\#(words), "image": "1.jpg", "images": ["1.jpg", "2.jpg"]}]"#,
            #"[{\#(words), "attachments": [{"url": "1.jpg"}, {"url": "2.jpg"}]}]"#,
            #"[{\#(words), "pictures": {"data": [{"url": "1.jpg"}, {"url": "2.jpg"}]}}]"#,
            #"[{\#(words), "front": "1.jpg", "back": "2.jpg"}]"#,
            #"{"items": [{\#(words), "edmIsShownBy": ["1.jpg", "2.jpg"]}]}"#,
        ])
    func allPictures(_ text: String) throws {
        let list = try Import.file(text)
        #expect(list.addresses == ["1.jpg", "2.jpg"])
        #expect(list.names == ["Pen", "Pen"])
        for photo in list.photos {
            #expect(photo.details.credit == "Ann")
            #expect(photo.details.license == "CC BY 4.0")
            #expect(photo.details.caption == "A pen")
        }
    }

    @Test("A picture's own words take precedence, and the text for readers who do not see it is its own")
    func ownWords() throws {
        let list = try Import.file(
            #"[{"credit": "Ann", "alt": "A pen", "images": [{"url": "1.jpg", "credit": "Bob"}, {"url": "2.jpg"}]}]"#)
        #expect(list.photos.map(\.details.credit) == ["Bob", "Ann"])
        #expect(list.photos.map(\.details.alt) == [nil, nil])
    }

    @Test("Of the words of an album, the author and the licence are those of its photos")
    func albums() throws {
        let list = try Import.file(
            #"[{\#(words), "date": "2024", "photos": ["1.jpg", {"url": "2.jpg", "photographer": "Bob"}]}]"#)
        #expect(list.photos.map(\.album) == [["Pen"], ["Pen"]])
        #expect(list.photos.map(\.details.credit) == ["Ann", "Bob"])
        #expect(list.photos.map(\.details.license) == ["CC BY 4.0", "CC BY 4.0"])
        #expect(list.photos.allSatisfy { $0.details.caption == nil && $0.details.date == nil })
    }

    @Test("What a record says holds for no record that it only refers to")
    func otherRecords() throws {
        let list = try Import.file(
            #"[{\#(words), "image": "1.jpg", "related": [{"title": "Ink", "image": "2.jpg"}]}]"#)
        #expect(list.addresses == ["1.jpg", "2.jpg"])
        #expect(list.photos.map(\.details.credit) == ["Ann", nil])
    }

    @Test("The only picture of a record is its photo, whatever its key")
    func unknownKey() throws {
        let list = try Import.file(
            #"""
            [{\#(words), "pic": "1.jpg"}, {"id": 2, "pic": "2.jpg", "credit": "Ann"}, {"id": 3, "Lake": "3.jpg"},
             {"id": 4, "before": "4.jpg", "after": "5.jpg"}]
            """#)
        #expect(list.addresses == ["1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"])
        #expect(list.names == ["Pen", nil, "Lake", "before", "after"])
        #expect(list.photos.map(\.details.credit) == ["Ann", "Ann", nil, nil, nil])
        let path = try Import.file(#"[{"id": "1", "originalPath": "2020/1.jpg", "originalFileName": "1.jpg"}]"#)
        #expect(path.addresses == ["2020/1.jpg"])
        #expect(path.names == [nil])
    }

    @Test("A record with thousands of named pictures is read in seconds", .timeLimit(.minutes(1)))
    func manyPictures() throws {
        let pictures = (0..<10_000).map { #""Lake \#($0)": "\#($0).jpg""# }
        let list = try Import.file("[{\(words), \(pictures.joined(separator: ", "))}]")
        #expect(list.photos.count == 10_000)
    }

    @Test("The user of a service is the author of a picture without one, and a text can be in an object")
    func users() throws {
        let list = try Import.file(
            #"""
            [{"urls": {"raw": "https://example.org/1"}, "user": {"name": "Ann"}, "title": {"_content": "Sea"}},
             {"url": "2.jpg", "user": "Josch", "photographer": "Bob"}]
            """#)
        #expect(list.names == ["Sea", nil])
        #expect(list.photos.map(\.details.credit) == ["Ann", "Bob"])
    }

    @Test(
        "Of texts in several languages the English one counts, then one without a language, then the first one",
        arguments: [
            (#"{"de": "Meer", "en": "Sea"}"#, "Sea"), (#"{"de": "Meer", "en": "", "en-GB": "Sea"}"#, "Sea"),
            (#"{"de": "Meer", "und": "Sea", "fr": "Mer"}"#, "Sea"), (#"{"de": "Meer", "id": "Laut"}"#, "Meer"),
            (#"{"pt_BR": ["Mar", "Oceano"], "zh-Hans": "海"}"#, "Mar; Oceano"), (#"{"value": "Sea", "en": "x"}"#, "Sea"),
            (#"{"en-GB": "Colour", "en": "Sea"}"#, "Sea"), (#"{"fr": "Mer", "es-419": "Mar"}"#, "Mer"),
            (#"{"id": "12", "de": "Meer"}"#, "Meer"), (#"{"fr": "Mer", "x-default": "Sea"}"#, "Sea"),
            (#"{"id": "7"}"#, nil), (#"{"en": "Sea", "kind": "x"}"#, nil), (#"{"en": {"de": "Sea"}}"#, nil),
            (#"{"en": null}"#, nil), ("{}", nil), (#"{"by": "Ann", "at": "noon"}"#, nil), (#"{"no": 3}"#, nil),
            (#"{"de": 1, "en": 2}"#, nil), (#"{"no": "3", "to": "5"}"#, nil), (#"{"id": "1", "id_str": "1"}"#, nil),
            (#"{"id": "12", "de": ""}"#, nil), (#"{"en": [""], "de": "Meer"}"#, "Meer"),
            (#"{"": "x", "en": "y"}"#, nil),
        ])
    func languages(title: String, expected: String?) throws {
        let list = try Import.file(#"[{"url": "1.jpg", "title": \#(title), "caption": {"it": "Da qui"}}]"#)
        #expect(list.addresses == ["1.jpg"])
        #expect(list.names == [expected])
        #expect(list.photos[0].details.caption == "Da qui")
    }

    @Test("A date, a link and numbers are in no language")
    func noLanguages() throws {
        let list = try Import.file(
            #"[{"url": "1.jpg", "date": {"en": "May"}, "page": {"en": "/a"}, "author": {"id": 7, "pt": 5}}]"#)
        let details = list.photos[0].details
        #expect(details.date == nil && details.link == nil && details.credit == nil)
    }

    @Test("A rating that a list can't contain is counted once for a photo of several forms")
    func unusableRating() throws {
        let list = try Import.file(
            #"[{"image": "a.jpg", "rating": "safe", "formats": [{"url": "s.jpg"}, {"url": "m.jpg"}]}]"#)
        #expect(list.addresses == ["a.jpg"])
        #expect(list.warnings == ["1 rating is left out, because it is not a number from 0 to 5"])
    }

    @Test("The lines of a caption stay, whatever ends them")
    func captionLines() throws {
        let list = try Import.file(#"[{"url": "a.jpg", "caption": "First\r\nSecond\rThird\n\nFourth"}]"#)
        #expect(list.photos[0].details.caption == "First\nSecond\nThird\n\nFourth")
        #expect(try Import.written(list).photos[0].details == list.photos[0].details)
    }

    @Test("The numbers of an author, a licence and tags in a database are left out")
    func numbers() throws {
        let list = try Import.file(
            #"""
            [{"title": 7, "author": 1, "byline": "Ann", "user": 5, "license": 4, "tags": [12, 15], "gallery": 3,
              "date": 1999, "rating": 4, "image": "a.jpg"}]
            """#)
        #expect(list.names == ["7"])
        let details = list.photos[0].details
        #expect(details.credit == "Ann")
        #expect(details.license == nil && details.tags.isEmpty && list.photos[0].album.isEmpty)
        #expect(details.date == "1999" && details.rating == 4)
    }

    @Test(
        "A record in an object of an array has its own name",
        arguments: [
            #"{"items": [{"sys": {"id": "1"}, "fields": {"title": "Lake", "file": {"url": "//example.org/a.jpg"}}}]}"#,
            #"{"items": [{"node": {"title": "Lake", "image": "a.jpg"}}]}"#,
        ])
    func wrapped(_ text: String) throws {
        let list = try Import.file(text)
        #expect(list.names == ["Lake"])
        #expect(list.photos[0].album.isEmpty)
    }

    @Test("A record without a name that has an album and photos says which album they are in")
    func album() throws {
        let list = try Import.file(#"[{"album": "Trip", "photos": ["a.jpg", {"url": "b.jpg"}]}]"#)
        #expect(list.photos.map(\.album) == [["Trip"], ["Trip"]])
    }
}

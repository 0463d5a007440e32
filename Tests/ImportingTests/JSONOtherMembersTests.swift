import Importing
import PhotoModel
import Testing

/// The members that an object or a document has besides its photos.
@Suite struct JSONOtherMembersTests {
    @Test("Links, people and licences beside a list are no photos, and of what it includes only pictures are")
    func detailsOfLists() throws {
        let list = try Import.file(
            #"""
            {"photos": [{"title": "A", "image": "a.jpg"}],
             "pagination": [{"rel": "next", "href": "https://example.org/2"}],
             "users": [{"name": "Ann", "url": "https://example.org/ann"}], "facets": [{"url": "https://example.org/f"}],
             "sponsors": [{"name": "S", "logo": "s.png", "url": "https://example.org/s"}],
             "help": ["https://example.org/"], "licenses": [{"name": "L", "url": "https://example.org/by"}],
             "author": {"name": "Ann", "image": "ann.jpg"},
             "included": [{"type": "person", "attributes": {"name": "Ann", "url": "https://example.org/ann"}},
                          {"type": "photo", "attributes": {"name": "B", "url": "b.jpg"}}]}
            """#)
        #expect(list.addresses == ["a.jpg", "b.jpg"])
        #expect(list.warnings.isEmpty)
    }

    @Test("The picture of a document is its cover only if it has a list with a known name")
    func covers() throws {
        let cams = #"[{"name": "A", "url": "https://example.org/1.jpg"}]"#
        #expect(try Import.file(#"{"image": "c.jpg", "items": \#(cams)}"#).addresses == ["https://example.org/1.jpg"])
        #expect(
            try Import.file(#"{"image": "c.jpg", "cams": \#(cams)}"#).addresses == [
                "c.jpg", "https://example.org/1.jpg",
            ])
    }

    @Test(
        "One more member removes no address that was found",
        arguments: [
            #"{"Ice": "1.jpg", "Fog": "https://example.org/fog"}"#,
            #"{"Iceland": {"Ice": "1.jpg", "Fog": "2.jpg"}, "Norway": ["https://example.org/3"]}"#,
            #"{"photos": ["1.jpg", "https://example.org/2"]}"#,
            #"{"images": [{"url": "1.jpg"}, {"image": {"url": "2.jpg"}}]}"#,
            #"{"media": [{"url": "1.jpg"}, {"url": "2.jpg"}]}"#,
            #"{"response": {"rows": [{"content": {"media": [{"url": "1.jpg"}]}}]}}"#,
            #"[{"Iceland": {"Ice": "1.jpg", "Fog": "2.jpg"}}]"#,
            #"[{"title": "Gate", "views": {"full": "1.jpg", "north": "2.jpg"}}]"#,
            #"[{"title": "Iceland", "photos": [{"url": "1.jpg"}, "https://example.org/2"]}]"#,
            #"[{"title": "Lake", "attachments": [{"url": "1.jpg"}, {"url": "2.jpg"}]}]"#,
            #"[{"title": "Lake", "urls": {"small": "https://example.org/1", "large": "https://example.org/2"}}]"#,
            #"[{"title": "Bay", "images": {"current": {"preview": "https://example.org/1", "icon": "i.jpg"}}}]"#,
            #"[{"title": "House", "before": "1.jpg", "after": "2.jpg"}]"#,
            #"[{"title": "Lake", "image": "1.jpg"}]"#, #"[{"title": "Lake", "url": "1.jpg"}]"#,
            #"[{"title": "Lake", "image1": "1.jpg", "image2": "2.jpg"}]"#,
        ])
    func moreMembers(_ text: String) throws {
        let before = Set(try Import.file(text).addresses)
        let braces = text.indices.filter { text[$0] == "{" }
        for member in [
            #""cover": "cover.jpg""#, #""cover": {"url": "cover.jpg"}"#, #""picture": null"#, #""note": "A note""#,
            #""thumbnail": "thumb.jpg""#, #""thumbnail": {"url": "thumb.jpg"}"#, #""Empty": """#, #""count": 2"#,
            #""icon": "icon.png""#, #""tags": ["sea", "sky"]"#, #""links": {"self": "https://example.org/api"}"#,
            #""pictures": [{"url": "new.jpg"}]"#, #""author": {"name": "Ann", "avatar": "ann.jpg"}"#,
            #""title": "A title""#, #""albums": [{"title": "Malta", "photos": ["new.jpg"]}]"#, #""Hut": "hut.jpg""#,
            #""Trip": {"Hut": "hut.jpg"}"#, #""ok": true"#,
        ] {
            // A new picture is a better one than a size or a preview in the same object.
            for brace in braces
            where !["urls", "images", "current"].contains(where: { text[..<brace].hasSuffix($0 + "\": ") }) {
                var longer = text
                longer.insert(contentsOf: member + ", ", at: text.index(after: brace))
                let lost = before.subtracting(try Import.file(longer).addresses)
                #expect(lost.isEmpty, "\(longer)")
            }
        }
    }
}

import Importing
import Manifest
import PhotoModel
import Testing

@Suite struct IIIFTests {
    @Test("A manifest of version 3 gives the service's full picture with label, rights and statement")
    func third() throws {
        let list = try Import.remote(
            #"""
            {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest",
             "label": {"de": ["Buch"], "en": ["Book"]}, "rights": "http://creativecommons.org/licenses/by/4.0/",
             "requiredStatement": {"label": {"en": ["By"]}, "value": {"en": ["<b>A</b> library"]}},
             "items": [
               {"type": "Canvas", "label": {"fr": ["f. un"], "en": [], "none": ["f. 1"]},
                "items": [{"type": "AnnotationPage", "items": [
                 {"type": "Annotation", "body": {"id": "https://example.org/1.jpg", "type": "Image", "service":
                   [{"id": "https://example.org/iiif/1", "type": "ImageService3", "profile": "level1"}]}}]}]},
               {"type": "Canvas", "items": [{"items": [{"body": {"type": "Choice", "items":
                 [{"id": "https://example.org/2.jpg", "type": "Image"}, {"id": "x", "type": "Image"}]}}]}]},
               {"type": "Canvas", "items": []}]}
            """#)
        #expect(list.addresses == ["https://example.org/iiif/1/full/max/0/default.jpg", "https://example.org/2.jpg"])
        #expect(list.names == ["f. 1", "Book, 2"])
        #expect(list.photos[0].details.credit == "A library")
        #expect(list.photos[0].details.license == "http://creativecommons.org/licenses/by/4.0/")
        #expect(list.warnings == ["1 of its canvases have no picture in the manifest itself"])
    }

    @Test("A manifest of version 2 gives the same")
    func second() throws {
        let list = try Import.remote(
            #"""
            {"@context": "http://iiif.io/api/presentation/2/context.json", "@type": "sc:Manifest", "label": "Map",
             "license": "http://creativecommons.org/publicdomain/mark/1.0/",
             "attribution": [{"@value": "Carte", "@language": "fr"}, {"@value": "Map room", "@language": "en"}],
             "sequences": [{"canvases": [{"label": "Sheet", "images": [{"resource": {"@id": "https://example.org/a.jpg",
               "@type": "dctypes:Image", "service": {"@context": "http://iiif.io/api/image/2/context.json",
               "@id": "https://example.org/iiif/a/", "profile": "http://iiif.io/api/image/2/level2.json"}}}]}]}]}
            """#)
        #expect(list.addresses == ["https://example.org/iiif/a/full/full/0/default.jpg"])
        #expect(list.names == ["Map"])
        #expect(list.photos[0].details.credit == "Map room")
    }

    @Test("A collection of version 3 names its members in order, and has those that are written out in it")
    func thirdCollection() throws {
        let collection = try Self.collection(
            #"""
            {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Collection",
             "label": {"en": ["All"]}, "items": [
               {"id": "https://example.org/m1", "type": "Manifest", "label": {"en": ["One"]}},
               {"id": "m2", "type": "Manifest"}, {"type": "Manifest"},
               {"id": "ftp://example.org/m", "type": "Manifest"},
               {"type": "Collection", "label": {"en": ["Inner"]}, "items": [{"id": "m3", "type": "Manifest"}]},
               {"id": "c1", "type": "Collection", "label": {"en": ["Outer"]}}]}
            """#)
        #expect(collection.label == "All")
        #expect(
            collection.members.map(Self.words) == [
                "https://example.org/m1 One", "https://example.org/shows/m2 -", "Inner[https://example.org/shows/m3 -]",
                "collection https://example.org/shows/c1 Outer",
            ])
    }

    @Test("A collection of version 2 names collections before manifests, members before both, and its pages")
    func secondCollection() throws {
        let start = #"{"@context": "http://iiif.io/api/presentation/2/context.json", "@type": "sc:Collection", "#
        let both = #"""
            "manifests": [{"@id": "m", "@type": "sc:Manifest", "label": "M"}],
            "collections": [{"@id": "c", "@type": "sc:Collection", "label": "C"}]
            """#
        let separate = try Self.collection(start + both + "}")
        #expect(
            separate.members.map(Self.words) == [
                "collection https://example.org/shows/c C", "https://example.org/shows/m M",
            ])
        let members = #""members": [{"@id": "x", "@type": "sc:Manifest", "label": "X"}], "#
        let preferred = try Self.collection(start + members + both + "}")
        #expect(preferred.members.map(Self.words) == ["https://example.org/shows/x X"])
        let pages = try Self.collection(start + #""first": "p1", "next": {"@id": "p2"}, "total": 9}"#)
        let expected = ["page https://example.org/shows/p1", "page https://example.org/shows/p2"]
        #expect(pages.members.map(Self.words) == expected)
    }

    @Test(
        "A member of a collection that is neither a manifest nor a collection is refused",
        arguments: [
            #"[{"url": "https://example.org/a.jpg"}]"#, #"{"url": "https://example.org/a.jpg"}"#, "{} {}",
        ])
    func foreignMember(text: String) throws {
        #expect(throws: ImportError.notIIIF) {
            try Importer(listIn: "/photos").member(of: Array(text.utf8), from: .remote(url: Import.page, shown: "page"))
        }
    }

    @Test("Albums of equal labels get different names, of the length that the list keeps")
    func albumNames() {
        var names = AlbumNames()
        let long = String(repeating: "Long ", count: 40)
        let given = ["Box", "Box", long, long].map { names.name($0, in: ["A"]) }
        #expect(given[0] == "Box" && given[1] == "Box (2)")
        #expect(given[2] != given[3] && given.allSatisfy { $0.count <= 100 })
        #expect(names.name("Box", in: ["B"]) == "Box")
        #expect(names.name(" ", in: []) == "Untitled")
    }

    private static func collection(_ text: String) throws -> IIIFCollection {
        try #require({ if case .collection(let collection) = try Import.content(text) { collection } else { nil } }())
    }

    private static func words(_ member: IIIFCollection.Member) -> String {
        switch member {
        case .reference(let address, let label, let isCollection):
            "\(isCollection ? "collection " : "")\(address) \(label ?? "-")"
        case .page(let address): "page \(address)"
        case .nested(let inner): "\(inner.label ?? "-")[\(inner.members.map(words).joined(separator: ", "))]"
        }
    }
}

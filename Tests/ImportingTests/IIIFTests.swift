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
               {"type": "Canvas", "label": {"none": ["f. 1"]}, "items": [{"type": "AnnotationPage", "items": [
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

    @Test("A collection is refused with the addresses of its manifests")
    func collection() throws {
        let error = try #require(throws: ImportError.self) {
            try Import.remote(
                #"""
                {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Collection",
                 "items": [{"id": "https://example.org/m1", "type": "Manifest"}]}
                """#)
        }
        #expect(error == .collection(["https://example.org/m1"]))
    }
}

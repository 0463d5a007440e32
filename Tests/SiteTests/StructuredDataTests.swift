import Foundation
import PhotoModel
import Site
import Testing

@Suite("Data for search engines and social networks")
struct StructuredDataTests {
    @Test("A photo's page has an ImageObject with the picture's author and licence")
    func imageObject() throws {
        var settings = Sample.settings
        settings.baseURL = "https://example.org/club/"
        var photo = try #require(Sample.everything.photos.first)
        (photo.taken, photo.camera, photo.exposure) = ("2025-08-17T14:03:22", "Brand X1", "1/250 s, f/8")
        let object = try Self.object(Sample.content([photo], settings: settings), "photo/detailed.html")
        let hash = Digest(of: "Detailed").prefix(16)
        #expect(object["@type"] as? String == "ImageObject")
        #expect(object["contentUrl"] as? String == "https://example.org/club/images/\(hash)-1600.jpg")
        #expect(object["creditText"] as? String == "Somebody")
        #expect(object["creator"] == nil, "it is unknown whether the author is a person")
        #expect(object["creditText"] as? String == "Somebody")
        #expect(object["copyrightNotice"] as? String == "Somebody, CC0 1.0")
        #expect(object["license"] as? String == "https://creativecommons.org/publicdomain/zero/1.0/")
        #expect(object["caption"] as? String == "A caption")
        #expect(object["dateCreated"] as? String == "2025-08-17T14:03:22")
        #expect((object["exifData"] as? [[String: Any]])?.count == 2)
    }

    @Test("A licence is linked if its address is known, or else named")
    func licenses() throws {
        func license(_ text: String) throws -> Any? {
            var photo = Sample.photo("A")
            photo.details.license = text
            return try Self.object(Sample.content([photo]), "photo/a.html")["license"]
        }
        #expect(try license("CC BY-SA 4.0") as? String == "https://creativecommons.org/licenses/by-sa/4.0/")
        #expect(try license("https://example.org/l") as? String == "https://example.org/l")
        #expect((try license("BSD") as? [String: Any])?["name"] as? String == "BSD")
        #expect((try license("javascript:alert(1)") as? [String: Any])?["name"] as? String == "javascript:alert(1)")
    }

    @Test(
        "Any value stays text, and the script element ends where it should",
        arguments: Sample.hostileNames)
    func hostile(name: String) throws {
        var photo = Sample.photo(name, slug: "a")
        photo.details = PhotoDetails(caption: name + "</script><script>", credit: name, license: name, tags: [name])
        let object = try Self.object(Sample.content([photo]), "photo/a.html")
        #expect(object["name"] as? String == name)
        #expect(object["caption"] as? String == name + "</script><script>")
    }

    @Test("Social cards have a picture only if the site's address is known")
    func cards() throws {
        func page(_ address: String?) throws -> String {
            var settings = Sample.settings
            settings.baseURL = address
            return try RenderedSite(Sample.content([Sample.photo("A")], settings: settings)).text("photo/a.html")
        }
        let relative = try page(nil)
        #expect(!relative.contains("og:image") && !relative.contains("twitter:image"))
        #expect(relative.contains(#"<meta name="twitter:card" content="summary">"#))
        #expect(relative.contains(#"<meta property="og:title" content="A">"#))
        let absolute = try page("https://example.org/")
        #expect(absolute.contains(#"<meta property="og:image" content="https://example.org/images/"#))
        #expect(absolute.contains(#"<meta name="twitter:image" content="https://example.org/images/"#))
        #expect(absolute.contains(#"<meta name="twitter:card" content="summary_large_image">"#))
    }

    private static func object(_ content: SiteContent, _ path: String) throws -> [String: Any] {
        let page = try RenderedSite(content).text(path)
        let parts = page.components(separatedBy: "<script type=\"application/ld+json\">")
        #expect(parts.count == 2)
        let json = try #require(parts.last?.components(separatedBy: "</script>").first)
        return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }
}

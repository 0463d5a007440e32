import PhotoModel
import Testing

@testable import Site

@Suite struct SitemapTests {
    private static func site(_ base: String?, photos: [SitePhoto] = [Sample.photo("A"), Sample.photo("B")]) throws
        -> RenderedSite
    {
        var settings = Sample.settings
        settings.baseURL = base
        return try RenderedSite(Sample.content(photos, settings: settings))
    }

    @Test("A site with an address names all its pages to search engines")
    func sitemap() throws {
        let site = try Self.site("https://example.org/club/")
        let text = site.text("sitemap.xml")
        let addresses = text.split(separator: "<loc>").dropFirst().compactMap { $0.split(separator: "<").first }
        #expect(
            addresses == [
                "https://example.org/club/", "https://example.org/club/photo/a.html",
                "https://example.org/club/photo/b.html",
            ])
        #expect(text.hasPrefix(#"<?xml version="1.0" encoding="utf-8"?>"#))
        #expect(text.contains("\n<!-- Written by \(Sample.settings.generator) -->\n"))
    }

    @Test("Addresses are escaped for XML")
    func escaping() throws {
        let text = try Self.site("https://example.org/a&b/").text("sitemap.xml")
        #expect(text.contains("<loc>https://example.org/a&amp;b/</loc>"))
    }

    @Test("robots.txt is only for the root of a host, where search engines look for it")
    func robots() throws {
        let root = try Self.site("https://example.org/")
        #expect(root.text("robots.txt").hasSuffix("\nSitemap: https://example.org/sitemap.xml\n"))
        #expect(try Self.site("https://example.org/club/").paths.contains("robots.txt") == false)
    }

    @Test("A site without an address has no files for search engines")
    func without() throws {
        let paths = try Self.site(nil).paths
        #expect(!paths.contains("sitemap.xml") && !paths.contains("robots.txt"))
    }

    @Test("A sitemap has no more pages than the protocol allows")
    func limit() {
        let file = Sitemap(base: "https://example.org/", generator: "gallerygen 1").file(
            (0..<60_000).lazy.map { "photo/\($0).html" })
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(text.split(separator: "<loc>").count == 50_001)
        #expect(text.hasSuffix("<url><loc>https://example.org/photo/49999.html</loc></url>\n</urlset>\n"))
    }
}

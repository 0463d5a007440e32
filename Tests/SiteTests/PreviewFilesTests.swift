import PhotoModel
import Site
import Testing

/// The files that a preview renders one by one.
@Suite("Files of a preview") struct PreviewFilesTests {
    private static let albums = [SiteAlbum(path: ["Trips"], slug: "trips")]

    /// A site with pages of all kinds, albums with several pages, and several files of records.
    private func content() -> SiteContent {
        var settings = Sample.settings
        settings.perPage = 50
        settings.baseURL = "https://example.org/photos/"
        let inAlbum = (1...120).map { Sample.photo("Trip \($0)", slug: "trip-\($0)", album: ["Trips"]) }
        return Sample.content(
            inAlbum + Sample.photos(130) + [Sample.failed("Lost")], albums: Self.albums, settings: settings)
    }

    private func renderer(_ preview: PreviewMark? = nil) throws -> SiteRenderer {
        try SiteRenderer(content: content(), templates: TemplateSet(), preview: preview)
    }

    @Test("Each file but those named by their bytes is the one that a build publishes")
    func sameFiles() throws {
        let published = try RenderedSite(content())
        let renderer = try renderer()
        let isData = { (path: String) in path.hasPrefix("assets/photos.") || path.hasPrefix("assets/search.") }
        for path in published.paths where !isData(path) && path != SitePath.photoIndex {
            #expect(renderer.file(at: path)?.bytes == published.files[path], "\(path)")
        }
    }

    @Test("The index names files of records that together have all photos")
    func records() throws {
        let renderer = try renderer()
        let index = String(decoding: try #require(renderer.file(at: SitePath.photoIndex)).bytes, as: UTF8.self)
        let names = index.matches(of: /\["([0-9a-f]{16})",([0-9]+)\]/)
        #expect(names.count > 2)
        for name in names {
            let file = try #require(renderer.file(at: "assets/photos.\(name.1).js"))
            #expect(String(decoding: file.bytes, as: UTF8.self).matches(of: /"page":/).count == Int(name.2))
        }
        let search = try #require(index.firstMatch(of: /assets\/search\.[0-9a-f]{16}\.js/))
        #expect(renderer.file(at: String(search.0)) != nil)
    }

    @Test(
        "There are no other files",
        arguments: [
            "", "index", "photo/none.html", "photo/", "page/1.html", "page/7.html", "page/02.html", "page/x.html",
            "album/none.html", "album/trips--9.html", "a/b/c", "images/0123456789abcdef-400.jpg", "assets/gallery.css",
            "status.js", "../index.html",
        ])
    func otherPaths(path: String) throws { #expect(try renderer().file(at: path) == nil) }

    @Test("Pages of a preview have its token and may connect to it; published ones do neither")
    func mark() throws {
        let text = { (renderer: SiteRenderer) in
            String(decoding: renderer.file(at: "photo/lost.html")?.bytes ?? [], as: UTF8.self)
        }
        let page = text(try renderer(PreviewMark(token: "secret", revision: 3, photos: 9)))
        #expect(page.contains(#"<meta name="preview-token" content="secret" data-revision="3" data-photos="9">"#))
        #expect(page.contains("connect-src 'self'"))
        let published = text(try renderer())
        #expect(!published.contains("preview"))
        #expect(!published.contains("connect-src"))
    }
}

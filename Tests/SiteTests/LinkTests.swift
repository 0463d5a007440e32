import Foundation
import PhotoModel
import Site
import Testing

@Suite("Links")
struct LinkTests {
    @Test("Every link and picture of every page is relative and leads to a file of the site")
    func everyLinkLeadsSomewhere() throws {
        let content = Sample.everything
        let site = try RenderedSite(content)
        let files = Set(site.paths).union(content.picturePaths)
        for path in site.pages {
            let sets = site.values(of: "srcset", in: path).flatMap { $0.components(separatedBy: ", ") }
            let links =
                site.values(of: "href", in: path) + site.values(of: "src", in: path)
                + sets.map { String($0.prefix { $0 != " " }) }
            #expect(!links.isEmpty)
            for link in links
            where !link.hasPrefix("https://example.org/") && !link.hasPrefix("https://creativecommons.org/") {
                #expect(!link.hasPrefix("/") && !link.contains("//"), "\(path) links to \(link)")
                let target = RenderedSite.target(of: link, from: path)
                #expect(files.contains(target?.path ?? ""), "\(path) links to \(link)")
                guard let target, let fragment = target.fragment else { continue }
                let ids = site.values(of: "id", in: target.path)
                #expect(ids.contains(fragment), "\(path) links to \(link)")
            }
        }
    }

    @Test("The file of every page is linked from another page")
    func everyPageIsReached() throws {
        let site = try RenderedSite(Sample.everything)
        var reached: Set = ["index.html"]
        for path in site.pages {
            for link in site.values(of: "href", in: path) {
                if let target = RenderedSite.target(of: link, from: path), target.path != path {
                    reached.insert(target.path)
                }
            }
        }
        #expect(Set(site.pages).subtracting(reached).isEmpty)
    }

    @Test("A photo's page links to the previous photo, the next photo and the list, in the order of the manifest")
    func neighbours() throws {
        let site = try RenderedSite(Sample.content(["A", "B", "C"].map { Sample.photo($0) }))
        func neighbours(_ path: String) -> [String] {
            site.text(path).components(separatedBy: "\n").filter { $0.hasPrefix("<a rel=") }
                .map { $0.components(separatedBy: "\"")[1...3].joined() }
        }
        #expect(neighbours("photo/a.html") == ["up href=../index.html#p-a", "next href=../photo/b.html"])
        #expect(
            neighbours("photo/b.html")
                == ["prev href=../photo/a.html", "up href=../index.html#p-b", "next href=../photo/c.html"])
        #expect(neighbours("photo/c.html") == ["prev href=../photo/b.html", "up href=../index.html#p-c"])
        #expect(site.text("photo/b.html").contains(">2 of 3</a>"))
    }

    @Test("The list that a photo's page leads back to is its album, or else its page of the index")
    func wayUp() throws {
        var settings = Sample.settings
        settings.perPage = 2
        let content = Sample.content(
            [Sample.photo("A"), Sample.photo("B", album: ["X"]), Sample.photo("C")],
            albums: [SiteAlbum(path: ["X"], slug: "x")], settings: settings)
        let site = try RenderedSite(content)
        #expect(site.values(of: "href", in: "photo/b.html").contains("../album/x.html#p-b"))
        #expect(site.values(of: "href", in: "photo/c.html").contains("../page/2.html#p-c"))
    }

    @Test("Links that leave the site send no referrer")
    func leavingLinks() throws {
        let page = try RenderedSite(Sample.everything).text("photo/detailed.html")
        #expect(
            page.contains(
                #"<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer external" "#
                    + #"referrerpolicy="no-referrer">"#
            ))
    }

    @Test("A source is linked only if its scheme is safe")
    func sources() throws {
        var unsafe = Sample.failed("Unsafe", .unsupportedScheme("javascript"))
        (unsafe.source, unsafe.sourceLink) = ("javascript:alert(1)", nil)
        let site = try RenderedSite(Sample.content([unsafe, Sample.failed("Safe")]))
        #expect(!site.values(of: "href", in: "photo/unsafe.html").contains { $0.hasPrefix("javascript") })
        #expect(site.text("photo/unsafe.html").contains("<dd><bdi>javascript:alert(1)</bdi></dd>"))
        #expect(site.values(of: "href", in: "photo/safe.html").contains("https://example.org/safe.jpg"))
    }

    @Test("Absolute addresses appear only if the site's own address is known")
    func baseURL() throws {
        var settings = Sample.settings
        let relative = try RenderedSite(Sample.content([Sample.photo("A")]))
        settings.baseURL = "https://example.org/club/"
        let absolute = try RenderedSite(Sample.content([Sample.photo("A")], settings: settings))
        #expect(!relative.pages.contains { relative.text($0).contains("canonical") })
        #expect(!relative.text("photo/a.html").contains("og:image"))
        #expect(absolute.text("index.html").contains(#"<link rel="canonical" href="https://example.org/club/">"#))
        #expect(
            absolute.text("photo/a.html").contains(
                #"<link rel="canonical" href="https://example.org/club/photo/a.html">"#))
        #expect(
            absolute.text("photo/a.html").contains(
                #"<meta property="og:image" content="https://example.org/club/images/"#))
    }
}

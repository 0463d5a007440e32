import Foundation
import PhotoModel
import Site
import Testing

@Suite("Pages")
struct PageTests {
    @Test(
        "The index has as many pages as its photos need",
        arguments: [(0, 1), (1, 1), (59, 1), (60, 1), (61, 2), (120, 2), (121, 3)])
    func pagination(photos: Int, pages: Int) throws {
        let site = try RenderedSite(Sample.content(Sample.photos(photos)))
        let index = site.pages.filter { !$0.hasPrefix("photo/") && $0 != "status.html" }
        #expect(index == (2...max(2, pages)).prefix(pages - 1).reversed().map { "page/\($0).html" } + ["index.html"])
        let counts = index.reversed().map { site.shown($0).components(separatedBy: "<li class=\"card ").count - 1 }
        #expect(counts.reduce(0, +) == photos)
        #expect(counts.dropLast().allSatisfy { $0 == 60 })
        #expect(site.text("index.html").contains("class=\"pager\"") == (pages > 1))
    }

    @Test("A site of hundreds of pages links the nearest, the first and the last page")
    func pagerOfManyPages() throws {
        var settings = Sample.settings
        settings.perPage = 1
        let site = try RenderedSite(Sample.content(Sample.photos(30), settings: settings))
        let links = site.values(of: "href", in: "page/15.html").filter {
            $0.hasPrefix("../page/") || $0.hasSuffix("index.html")
        }
        #expect(
            links
                == [
                    "../index.html", "../page/14.html", "../index.html", "../page/13.html", "../page/14.html",
                    "../page/15.html", "../page/16.html", "../page/17.html", "../page/30.html", "../page/16.html",
                ])
        #expect(site.text("page/15.html").contains("aria-current=\"page\""))
    }

    @Test("A gallery without a photo says so")
    func empty() throws {
        let site = try RenderedSite(Sample.content([]))
        #expect(site.text("index.html").contains("No photos yet."))
        #expect(site.text("index.html").contains("0 photos"))
        #expect(site.pages == ["status.html", "index.html"])
    }

    @Test("The head of the index counts the photos, and those that need attention")
    func summary() throws {
        let index = try RenderedSite(Sample.everything).text("index.html")
        #expect(index.contains("21 photos"))
        #expect(index.contains("2 failed"))
        #expect(index.contains("1 stale"))
        #expect(index.contains("1 frozen"))
        #expect(try RenderedSite(Sample.content([Sample.photo("One")])).text("index.html").contains("1 photo<"))
    }

    @Test("Every photo shows its state in lists and on its page")
    func states() throws {
        let site = try RenderedSite(Sample.everything)
        let lists = site.pages.filter { $0 == "index.html" || $0.hasPrefix("page/") }.map(site.text).joined()
        for photo in Sample.everything.photos {
            let badge = "<span class=\"state\" data-state=\"\(photo.state.rawValue)\">\(photo.state.rawValue)</span>"
            let card = lists.components(separatedBy: " id=\"p-\(photo.slug)\" data-state").last ?? ""
            #expect(card.components(separatedBy: "</li>").first?.contains(badge) == true, "\(photo.name)")
            #expect(site.text("photo/\(photo.slug).html").contains(badge), "\(photo.name)")
        }
    }

    @Test("A failed photo has a placeholder with the reason, in the photo's last aspect ratio or else 3:2")
    func placeholders() throws {
        let site = try RenderedSite(Sample.everything)
        let missing = site.text("photo/missing.html")
        #expect(missing.contains("Failed to load"))
        #expect(missing.contains(#"<p class="reason" data-reason="not-found">"#))
        #expect(missing.contains("the server has nothing at this address (status 404)."))
        #expect(missing.contains(#"<figure class="picture r37">"#))
        #expect(missing.components(separatedBy: "</figure>").first?.contains("<img") == false)
        #expect(site.text("photo/lost.html").contains(#"<figure class="picture r10">"#))
        #expect(site.text("photo/new.html").contains("Not fetched yet"))
    }

    @Test("A stale photo shows its picture, since when it is stale, and why")
    func stale() throws {
        let page = try RenderedSite(Sample.everything).text("photo/stale.html")
        #expect(page.contains("<img"))
        #expect(page.contains(#"<span class="state" data-state="stale">stale</span>"#))
        #expect(
            page.contains(
                "Not refreshed since <time datetime=\"2025-12-31T16:53:20Z\">31 December 2025, 16:53 UTC</time>"))
        #expect(page.contains("The server took longer than 300 s."))
    }

    @Test("A picture offers every width, has its own size, and is loaded lazily unless it is among the first")
    func pictures() throws {
        let photos = Sample.photos(6)
        let site = try RenderedSite(Sample.content(photos))
        let images = photos[0].images
        #expect(
            site.values(of: "srcset", in: "index.html").first
                == images.map { "\($0.path) \($0.width)w" }.joined(separator: ", "))
        #expect(
            site.text("index.html").contains(
                #"sizes="calc(1.50*(4.4rem + 10.6vw))" width="1600" height="1066""#))
        #expect(
            site.values(of: "loading", in: "index.html") == ["eager", "eager", "eager", "eager", "lazy", "lazy"])
    }

    @Test("With WebP, browsers may choose a format; without, the page has plain pictures")
    func webp() throws {
        let photo = Sample.photoWithWebP("A")
        let site = try RenderedSite(Sample.content([photo]))
        let sets = [
            photo.images.map { "\($0.webp?.path ?? "") \($0.width)w" }, photo.images.map { "\($0.path) \($0.width)w" },
        ]
        .map { $0.joined(separator: ", ") }
        #expect(site.values(of: "srcset", in: "index.html") == sets)
        let sizes = #"sizes="calc(1.50*(4.4rem + 10.6vw))""#
        #expect(
            site.text("index.html").contains(
                #"<picture><source type="image/webp" srcset="\#(sets[0])" \#(sizes)>"#
                    + #"<img src="\#(photo.images[1].path)" srcset="\#(sets[1])" \#(sizes) width="1600" height="1066""#)
        )
        let page = site.text("photo/a.html")
        #expect(
            page.components(separatedBy: "<picture>").count == 3,
            "the picture, and the unfiltered picture")
        #expect(page.components(separatedBy: "</picture>").count == 3)
        #expect(page.contains(#"<source type="image/webp" srcset="../\#(photo.original?.webp?.path ?? "") 1600w""#))
        let without = try RenderedSite(Sample.content([Sample.photo("A")]))
        #expect(["index.html", "photo/a.html"].allSatisfy { !without.text($0).contains("<picture>") })
        #expect(!without.text("index.html").contains("webp"))
    }

    @Test("A picture that lacks WebP in one size offers none, as a browser would never choose that size")
    func webpInSomeSizes() throws {
        var photo = Sample.photoWithWebP("A")
        photo.images[2] = Sample.photo("A").images[2]
        #expect(!(try RenderedSite(Sample.content([photo])).text("index.html").contains("<picture>")))
    }

    @Test("Feed, social cards and structured data, whose readers may not know WebP, have JPEG")
    func webpElsewhere() throws {
        var content = Sample.content([Sample.photoWithWebP("A")])
        content.settings.baseURL = "https://example.org/"
        let site = try RenderedSite(content)
        #expect(!site.text("feed.xml").contains("webp"))
        let head = site.text("photo/a.html").components(separatedBy: "</head>")[0]
        #expect(head.contains(".jpg") && !head.contains("webp"))
    }

    @Test("A photo's page shows every detail of the manifest, and the unfiltered picture")
    func details() throws {
        let page = try RenderedSite(Sample.everything).text("photo/detailed.html")
        for text in [
            "A caption", "Somebody", "CC0 1.0", "2 October 2016<", "<li><bdi>one</bdi></li>", "4.5 of 5", "1800 × 1200",
            "sepia(0.8)", "Before and after", "North &amp; South", "samples/detailed.jpg",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(page.contains(Digest(of: "Detailed").prefix(12)))
    }

    @Test("An album lists its photos and the albums in it; the index lists the outermost albums with counts")
    func albums() throws {
        let site = try RenderedSite(Sample.everything)
        #expect(site.values(of: "id", in: "album/trips.html").filter { $0.hasPrefix("p-") } == ["p-stale"])
        #expect(site.values(of: "href", in: "album/trips.html").contains("../album/north-south.html"))
        #expect(site.text("album/trips.html").contains("2 photos"))
        #expect(site.values(of: "href", in: "album/north-south.html").contains("../album/trips.html"))
        #expect(site.text("album/empty.html").contains("No photos in this album."))
        #expect(
            site.values(of: "href", in: "index.html").filter { $0.hasPrefix("album/") }
                == ["album/trips.html", "album/empty.html"])
    }

    @Test("Albums whose names differ only in the normalisation of a letter are two albums")
    func normalisation() throws {
        let (one, two) = ("Caf\u{E9}", "Cafe\u{301}")
        let site = try RenderedSite(
            Sample.content(
                [
                    Sample.photo("A", album: [one]), Sample.photo("B", album: [two]),
                    Sample.photo("C", album: [two, "In"]),
                ],
                albums: [
                    SiteAlbum(path: [one], slug: "one"), SiteAlbum(path: [two], slug: "two"),
                    SiteAlbum(path: [two, "In"], slug: "in"),
                ]))
        func shown(_ path: String) -> [String] { site.values(of: "id", in: path).filter { $0.hasPrefix("p-") } }
        #expect(shown("album/one.html") == ["p-a"] && shown("album/two.html") == ["p-b"])
        #expect(site.values(of: "href", in: "album/two.html").contains("../album/in.html"))
        #expect(!site.values(of: "href", in: "album/one.html").contains("../album/in.html"))
    }

    @Test("A long album has as many pages as its photos need, and each photo links back to its own page of the album")
    func albumPages() throws {
        var settings = Sample.settings
        settings.perPage = 2
        let photos = (1...5).map { Sample.photo("Photo\($0)", album: ["Trips"]) } + [Sample.photo("Else")]
        let site = try RenderedSite(
            Sample.content(
                photos,
                albums: [
                    SiteAlbum(path: ["Trips"], slug: "trips"), SiteAlbum(path: ["Trips", "Inner"], slug: "inner"),
                ],
                settings: settings))
        func shown(_ path: String) -> [String] { site.values(of: "id", in: path).filter { $0.hasPrefix("p-") } }
        #expect(shown("album/trips.html") == ["p-photo1", "p-photo2"])
        #expect(shown("album/trips--2.html") == ["p-photo3", "p-photo4"])
        #expect(shown("album/trips--3.html") == ["p-photo5"])
        #expect(site.files["album/trips--4.html"] == nil)
        #expect(site.values(of: "href", in: "photo/photo4.html").contains("../album/trips--2.html#p-photo4"))
        #expect(site.values(of: "href", in: "album/trips--2.html").filter { $0.contains("trips--3") }.count == 2)
        #expect(site.text("album/trips--2.html").contains("· page 2</small>"))
        // Only the first page lists the albums inside the album.
        #expect(site.values(of: "href", in: "album/trips.html").contains("../album/inner.html"))
        #expect(!site.values(of: "href", in: "album/trips--2.html").contains("../album/inner.html"))
        #expect(!site.text("album/inner.html").contains("class=\"pager\""))
    }

    @Test("The picture's colour fills its area until it is loaded, unless the picture has transparency")
    func placeholderColour() throws {
        var (photo, seeThrough) = (Sample.photo("A"), Sample.photo("B"))
        (photo.colour, seeThrough.colour) = ("#8a7a66", "#8a7a66")
        seeThrough.images = [SiteImage(width: 320, height: 213, path: "images/x-320.png", bytes: 1)]
        let site = try RenderedSite(Sample.content([photo, seeThrough]))
        let colour = ##"<rect width="100%" height="100%" fill="#8a7a66"/>"##
        #expect(site.text("index.html").components(separatedBy: colour).count == 2)
        #expect(site.text("photo/a.html").contains(colour))
        #expect(!site.text("photo/b.html").contains(colour))
    }

    @Test("Camera data are on the photo's page and in the viewer's records")
    func camera() throws {
        var photo = Sample.photo("A")
        (photo.camera, photo.lens, photo.exposure) = ("Brand X1", "50mm F1.8", "1/250 s, f/8, ISO 100, 35 mm")
        let site = try RenderedSite(Sample.content([photo]))
        for text in ["Brand X1", "50mm F1.8", "1/250 s, f/8, ISO 100, 35 mm"] {
            #expect(site.text("photo/a.html").contains("<bdi>\(text)</bdi>"))
            #expect(site.paths.contains { $0.hasPrefix("assets/photos.") && site.text($0).contains(text) })
        }
    }

    @Test("Pages run the site's own scripts only, load nothing from elsewhere, and have no style attribute")
    func policy() throws {
        let site = try RenderedSite(Sample.everything)
        for path in site.pages {
            let page = site.text(path)
            let head = page.components(separatedBy: "<head>\n")[1]
            #expect(head.hasPrefix("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"))
            #expect(!page.contains(" style=") && !page.contains("unsafe"))
            #expect(page.contains("; script-src 'self'; base-uri 'none'; form-action 'none'\">"))
            let scripts = page.components(separatedBy: "<script").dropFirst()
            // Structured data is not a script that browsers run.
            #expect(
                scripts.allSatisfy {
                    $0.hasPrefix(" src=\"") && $0.contains("></script>")
                        || $0.hasPrefix(" type=\"application/ld+json\">")
                })
            #expect(page.contains("<html lang=\"en\" data-root="))
            #expect(page.components(separatedBy: "<h1").count == 2, "\(path) has not one heading of the first rank")
        }
    }

    private static let order = [
        "assets/", "status.json", "photos.js", "photo/", "album/", "status.html", "page/", "index.html", "feed.xml",
    ]

    @Test("A linked file is emitted before its page, status.json before all pages, and the feed last")
    func order() throws {
        let paths = try RenderedSite(Sample.everything).paths
        let ranks = paths.map { path in
            Self.order.firstIndex { path.hasPrefix($0) } ?? -1
        }
        #expect(ranks == ranks.sorted())
        #expect(Set(paths).count == paths.count)
    }

    @Test("The same content gives the same bytes, whatever was rendered before")
    func determinism() throws {
        let once = try RenderedSite(Sample.everything)
        let again = try RenderedSite(Sample.everything)
        #expect(once.paths == again.paths)
        #expect(once.files == again.files)
        // A photo's page does not depend on which photos of the same kind came before it.
        let last = try #require(Sample.everything.photos.last)
        let alone = try RenderedSite(Sample.content([last]))
        let first = try RenderedSite(Sample.content([last, Sample.failed("Z")]))
        let card = { (site: RenderedSite) in
            site.text("index.html").components(separatedBy: "<li class=\"card ")[1].components(separatedBy: "</li>")[0]
        }
        #expect(card(alone) == card(first))
    }

    @Test("A slug that is no valid file name is refused", arguments: ["", ".hidden", "a/b", "..", "a\u{0}b"])
    func slugs(slug: String) throws {
        let templates = TemplateSet()
        #expect(throws: SiteError.slug(slug)) {
            try SiteRenderer(content: Sample.content([Sample.photo("A", slug: slug)]), templates: templates)
        }
        #expect(throws: SiteError.slug(slug)) {
            try SiteRenderer(
                content: Sample.content([], albums: [SiteAlbum(path: ["A"], slug: slug)]), templates: templates)
        }
    }
}

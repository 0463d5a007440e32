import Foundation
import PhotoModel
import Site
import Testing

@Suite("The data of the page's scripts")
struct ScriptDataTests {
    /// The value that a script assigns, which is JSON except for the last comma.
    private static func value(_ site: RenderedSite, _ path: String) throws -> Any {
        let text = site.text(path)
        let equals = try #require(text.range(of: " = "))
        let json = text[equals.upperBound...].replacingOccurrences(of: ",\n];\n", with: "]")
            .replacingOccurrences(of: ";\n", with: "")
        return try JSONSerialization.jsonObject(with: Data(json.utf8))
    }

    private static func index(_ site: RenderedSite) throws -> [String: Any] {
        try #require(value(site, "photos.js") as? [String: Any])
    }

    /// The files of records in their order, each with its number of photos from the index.
    private static func shards(_ site: RenderedSite) throws -> [(path: String, count: Int)] {
        let shards = try #require(index(site)["shards"] as? [[Any]])
        return try shards.map { shard in
            let name = try #require(shard.first as? String)
            return ("assets/photos.\(name).js", try #require(shard.last as? Int))
        }
    }

    private static func photos(_ site: RenderedSite) throws -> [[String: Any]] {
        try shards(site).flatMap { shard in
            let photos = try #require(value(site, shard.path) as? [[String: Any]])
            #expect(photos.count == shard.count)
            return photos
        }
    }

    /// The lines of the search index by the kind of value.
    private static func searchList(_ site: RenderedSite) throws -> [String: [String]] {
        let path = try #require(index(site)["search"] as? String)
        let list = try #require(value(site, path) as? [String: String])
        return list.mapValues { $0.components(separatedBy: "\n") }
    }

    @Test("The search index has the searchable values of each photo, one line each, in the order of the photos")
    func search() throws {
        let photos = Sample.everything.photos
        let list = try Self.searchList(RenderedSite(Sample.everything))
        let names = photos.map { $0.name.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined() }
        #expect(list["name"] == names)
        #expect(
            list["state"] == photos.map { $0.state.rawValue + ($0.stale == nil ? "" : " stale") }.dropLast() + [
                "filtered frozen"
            ])
        #expect(list["caption"]?.first == "A caption")
        #expect(list["tags"]?.first == "one\ttwo")
        #expect(list["album"]?.first == "Trips / North & South")
        #expect(list["rating"]?.first == "4.5")
        #expect(list["date"]?.first == "2016-10-02T00:00:00Z")
        #expect(list["slug"]?[7] == "a%20b%23c%25d%3Fe")
        #expect(
            list["vote"] == [""],
            "a kind of value that no photo has takes no line")
        #expect(list.values.allSatisfy { $0 == [""] || $0.count == photos.count })
    }

    @Test("The search index leaves out a slug that follows from the name, and no text takes two lines")
    func searchLines() throws {
        var broken = Sample.photo("Two\nlines\tand a tab", slug: "other")
        broken.details.tags = ["a\tb", "c"]
        let list = try Self.searchList(
            RenderedSite(Sample.content([Sample.photo("The 1st Photo", slug: "the-1st-photo"), broken])))
        #expect(list["slug"] == ["", "other"])
        #expect(list["name"]?.last == "Two lines and a tab")
        #expect(list["tags"]?.last == "a b\tc")
    }

    @Test("The index has the photos of each album as runs of numbers, by the album's slug")
    func albums() throws {
        let content = Sample.everything
        let albums = try #require(Self.index(RenderedSite(content))["albums"] as? [String: [[Int]]])
        for album in content.albums {
            let numbers = content.photos.indices.filter { content.photos[$0].album == album.path }
            let listed = (albums[album.slug] ?? []).flatMap { run in run[0]..<run[0] + run[1] }
            #expect(listed == Array(numbers), "\(album.slug)")
        }
    }

    @Test("The records of all photos are in files of consecutive photos")
    func records() throws {
        let photos = try Self.photos(RenderedSite(Sample.everything))
        #expect(photos.map { $0["name"] as? String } == Sample.everything.photos.map(\.name))
        #expect(photos.map { $0["state"] as? String } == Sample.everything.photos.map(\.state.rawValue))
        let detailed = photos[0]
        #expect(detailed["caption"] as? String == "A caption")
        #expect(detailed["tags"] as? [String] == ["one", "two"])
        #expect(detailed["album"] as? [String] == ["Trips", "North & South"])
        #expect(detailed["rating"] as? String == "4.5")
        #expect(detailed["date"] as? String == "2 October 2016")
        #expect(detailed["sortDate"] as? String == "2016-10-02T00:00:00Z")
        #expect(photos[1]["stale"] as? String == "The server took longer than 300 s.")
        #expect(photos.last?["mark"] as? String == "frozen")
        #expect(
            photos.last?["marks"] as? String == "frozen since 31 December 2025, 16:53 UTC: The picture was expected to "
                + "change within 24 h, but is still the same.")
        #expect(photos[0]["mark"] == nil && photos[0]["marks"] == nil)
        #expect(photos[5]["reason"] as? String != nil)
        #expect(photos[5]["images"] == nil)
        #expect(photos[7]["page"] as? String == "photo/a%20b%23c%25d%3Fe.html")
    }

    @Test(
        "The record of a photo has the time of its download and the colour of its picture")
    func timesAndColour() throws {
        var photo = Sample.photo("A")
        (photo.downloaded, photo.colour) = (Sample.updated, "#8a7a66")
        let site = try RenderedSite(Sample.content([photo]))
        let record = try Self.photos(site)[0]
        #expect(record["downloaded"] as? String == "2 January 2026, 03:04 UTC")
        #expect(record["placeholderColour"] as? String == "#8a7a66")
        #expect(
            site.text("photo/a.html").contains(
                "<dt>Downloaded</dt><dd><time datetime=\"2026-01-02T03:04:05Z\">2 January 2026, 03:04 UTC</time>"))
        #expect(try Self.photos(RenderedSite(Sample.content([Sample.photo("B")])))[0]["downloaded"] == nil)
    }

    @Test("A picture that exists as WebP has its path after the other values")
    func webp() throws {
        let photo = Sample.photoWithWebP("A")
        let record = try Self.photos(RenderedSite(Sample.content([photo, Sample.photo("B")])))
        let images = try #require(record[0]["images"] as? [[Any]])
        #expect(images.map { $0[4] as? String } == photo.images.map { $0.webp?.path })
        #expect((record[0]["original"] as? [Any])?.count == 5)
        #expect((record[1]["images"] as? [[Any]])?.allSatisfy { $0.count == 4 } == true)
    }

    @Test("The index of a site without photos is a valid script")
    func noPhotos() throws {
        let index = try Self.index(RenderedSite(Sample.content([])))
        #expect((index["shards"] as? [Any])?.isEmpty == true)
    }

    @Test("A page names its photos by the paths of their pages, and contains no record")
    func cards() throws {
        let site = try RenderedSite(Sample.everything)
        let known = Set(try Self.photos(site).compactMap { $0["page"] as? String })
        let cards = site.pages.flatMap { site.values(of: "data-page", in: $0) }
        #expect(cards.count >= 2 * Sample.everything.photos.count)
        #expect(Set(cards) == known)
        #expect(site.pages.allSatisfy { !site.text($0).contains("data-photo") })
    }

    @Test("No file of records has more than 160 photos, and only the last one fewer than 48")
    func shardSizes() throws {
        let counts = try Self.shards(RenderedSite(Sample.content(Sample.photos(1_000)))).map(\.count)
        #expect(counts.reduce(0, +) == 1_000)
        #expect(counts.count >= 8)
        #expect(counts.allSatisfy { $0 <= 160 } && counts.dropLast().allSatisfy { $0 >= 48 })
    }

    @Test("A new first photo changes the first file of records, and one more if the first is split")
    func addedPhoto() throws {
        let photos = Sample.photos(1_000)
        let before = Set(try Self.shards(RenderedSite(Sample.content(photos))).map(\.path))
        let after = Set(
            try Self.shards(RenderedSite(Sample.content([Sample.photo("New", slug: "new")] + photos))).map(\.path))
        #expect(after.subtracting(before).count <= 2)
    }

    @Test("The viewer's markup is one script for all pages, and each page links it")
    func viewer() throws {
        let site = try RenderedSite(Sample.everything)
        let viewers = site.paths.filter { $0.hasPrefix("assets/viewer.") && $0.hasSuffix(".js") }
        let path = try #require(viewers.first)
        #expect(viewers.count == 1)
        #expect(site.text(path).hasPrefix("window.galleryViewer = \"<dialog "))
        #expect(site.text(path).contains("sepia(0.8)"))
        #expect(site.text(path).contains("class Viewer"))
        #expect(site.paths.filter { site.text($0).contains("class Viewer") } == [path])
        for page in site.pages {
            #expect(site.values(of: "href", in: page).contains { $0.hasSuffix(path) }, "\(page)")
            #expect(!site.text(page).contains("<dialog"), "\(page)")
        }
    }

    @Test("Each page of a list gives the number of its first photo, and a photo's page the photo's number")
    func places() throws {
        let site = try RenderedSite(Sample.content(Sample.photos(61)))
        #expect(site.values(of: "data-first", in: "index.html") == ["1"])
        #expect(site.values(of: "data-first", in: "page/2.html") == ["61"])
        #expect(site.values(of: "data-first", in: "photo/photo13.html") == ["13"])
    }

    @Test("The first picture of a page, and no other, is loaded with high priority")
    func firstPicture() throws {
        let page = try RenderedSite(Sample.content(Sample.photos(8))).text("index.html")
        #expect(page.components(separatedBy: "fetchpriority=\"high\"").count == 2)
    }

    @Test("A script whose name begins with early runs before the page is shown, and the others are deferred")
    func earlyScripts() throws {
        let page = try RenderedSite(
            Sample.content([]), overrides: ["assets/early-mine.js": Array("1".utf8), "assets/mine.js": Array("1".utf8)]
        ).text("index.html")
        let scripts = page.components(separatedBy: "<script src=\"assets/").dropFirst()
        #expect(scripts.count >= 4)
        for script in scripts {
            #expect(
                script.hasPrefix("early") != script.prefix { $0 != ">" }.hasSuffix(" defer"), "\(script.prefix(60))")
        }
    }

    @Test("Built-in scripts are published without their comments, and a user's scripts unchanged")
    func comments() throws {
        let own = "// mine\n  /** mine\n too */\nlet one = 1;\n"
        let site = try RenderedSite(Sample.content([]), overrides: ["assets/mine.js": Array(own.utf8)])
        for path in site.paths where path.hasPrefix("assets/") && path.hasSuffix(".js") {
            if path.contains("/mine.") {
                #expect(site.text(path) == own)
            } else {
                #expect(
                    site.text(path).components(separatedBy: "\n").allSatisfy {
                        !$0.hasPrefix("//") && !$0.hasPrefix("*")
                    })
                #expect(!site.text(path).contains("/**"))
            }
        }
    }

    @Test("A file of records is named by its bytes, and not rendered again if its data are known")
    func names() throws {
        let photos = Sample.photos(200)
        let site = try RenderedSite(Sample.content(photos))
        for (path, _) in try Self.shards(site) {
            let bytes = Array(site.text(path).utf8)
            #expect(path == "assets/photos.\(Digest(of: bytes).prefix(16)).js")
        }
        // The time until which a server must not be asked is no part of a record.
        var postponed = photos
        postponed[7].retryAfter = Timestamp(seconds: 1)
        #expect(try Self.shards(RenderedSite(Sample.content(postponed))).map(\.path) == Self.shards(site).map(\.path))
    }
}

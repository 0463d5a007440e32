import Foundation
import PhotoModel
import Site
import Testing

/// The list of all photos: its file name stays the same whatever is in it.
private let searchPath = "search.js"

@Suite("What the scripts know")
struct ScriptDataTests {
    /// Its photos: the assignment without the script around it is JSON, but for the last comma.
    private static func photos(_ site: RenderedSite) throws -> [[String: Any]] {
        let list = try #require(site.text(searchPath).components(separatedBy: "window.galleryPhotos = ").last)
        let json = list.replacingOccurrences(of: ",\n];\n", with: "]").replacingOccurrences(of: "];\n", with: "]")
        return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    }

    @Test("The list of all photos has them in their order, each with what it can be found by")
    func search() throws {
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
        #expect(photos[5]["reason"] as? String != nil)
        #expect(photos[5]["images"] == nil)
        #expect(photos[7]["page"] as? String == "photo/a%20b%23c%25d%3Fe.html")
    }

    @Test(
        "When the original was downloaded, and the picture's colour, are known to the viewer and to the search's cards")
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

    @Test("A picture that is there as WebP has its path after what others have")
    func webp() throws {
        let photo = Sample.photoWithWebP("A")
        let record = try Self.photos(RenderedSite(Sample.content([photo, Sample.photo("B")])))
        let images = try #require(record[0]["images"] as? [[Any]])
        #expect(images.map { $0[4] as? String } == photo.images.map { $0.webp?.path })
        #expect((record[0]["original"] as? [Any])?.count == 5)
        #expect((record[1]["images"] as? [[Any]])?.allSatisfy { $0.count == 4 } == true)
    }

    @Test("A site without photos has a list of them that can be run")
    func noPhotos() throws {
        #expect(try RenderedSite(Sample.content([])).text(searchPath) == "window.galleryPhotos = [\n];\n")
    }

    @Test("What a card says of its photo is what the list of all photos says, and every page says where that is")
    func cards() throws {
        let site = try RenderedSite(Sample.everything)
        let lines = Set(site.text(searchPath).components(separatedBy: ",\n"))
        let cards = site.pages.flatMap { site.values(of: "data-photo", in: $0) }
        #expect(cards.count >= 2 * Sample.everything.photos.count)
        // The helper leaves a quotation mark with a combining mark after it escaped.
        for card in cards where !card.contains("&quot") {
            #expect(lines.contains { $0.utf8.reversed().starts(with: card.utf8.reversed()) }, "\(card)")
        }
        for path in site.pages {
            #expect(site.values(of: "href", in: path).contains { $0.hasSuffix(searchPath) }, "\(path)")
        }
    }

    @Test("The viewer's markup is one script for all pages, and each says where it is")
    func viewer() throws {
        let site = try RenderedSite(Sample.everything)
        let viewers = site.paths.filter { $0.hasPrefix("assets/viewer.") && $0.hasSuffix(".js") }
        let path = try #require(viewers.first)
        #expect(viewers.count == 1)
        #expect(site.text(path).hasPrefix("window.galleryViewer = \"<dialog "))
        #expect(site.text(path).contains("sepia(0.8)"))
        for page in site.pages {
            #expect(site.values(of: "href", in: page).contains { $0.hasSuffix(path) }, "\(page)")
            #expect(!site.text(page).contains("<dialog"), "\(page)")
        }
    }

    @Test("The first page of a long list says how many photos there are, the next ones where they begin")
    func places() throws {
        let site = try RenderedSite(Sample.content(Sample.photos(61)))
        #expect(site.text("index.html").contains(#"data-first="1" data-total="61""#))
        #expect(site.text("page/2.html").contains(#"data-first="61" data-total="61""#))
    }

    @Test("The first picture of a page, and no other, is loaded before all else")
    func firstPicture() throws {
        let page = try RenderedSite(Sample.content(Sample.photos(8))).text("index.html")
        #expect(page.components(separatedBy: "fetchpriority=\"high\"").count == 2)
    }

    @Test("A script that is called early… runs before the page is shown, the others after it was read")
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

    @Test("Scripts are published without their comments, and a person's own as they are")
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
}

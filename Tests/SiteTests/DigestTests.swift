import PhotoModel
import Site
import Testing

@Suite("The digest of a site's content")
struct DigestTests {
    @Test("A content's digest stays the same when only the time of the change differs")
    func time() {
        var content = Sample.everything
        content.updated = Timestamp(seconds: 1)
        #expect(content.digest == Sample.everything.digest)
    }

    @Test("A content's digest changes with every value that a page can show")
    func values() {
        let changes: [(inout SiteContent) -> Void] = [
            { $0.settings.title += "x" }, { $0.settings.baseURL = "https://example.org/" },
            { $0.settings.language = "fr" }, { $0.settings.perPage += 1 }, { $0.settings.generator += "x" },
            { $0.settings.filter = "none" }, { $0.settings.picturesAt = "https://pictures.example.org/" },
            { $0.albums.swapAt(0, 1) }, { $0.albums.removeLast() },
            { $0.albums[0] = SiteAlbum(path: ["Trips"], slug: "x") }, { $0.photos.swapAt(0, 1) },
            { $0.photos.removeLast() }, { $0.photos[0].name += "x" }, { $0.photos[0].slug += "x" },
            { $0.photos[0].album.removeLast() }, { $0.photos[0].details.caption = nil },
            { $0.photos[0].details.alt = nil }, { $0.photos[0].details.credit = "" },
            { $0.photos[0].details.license = nil }, { $0.photos[0].details.link = nil },
            { $0.photos[0].details.date = nil }, { $0.photos[0].details.tags = ["on", "etwo"] },
            { $0.photos[0].details.rating = 4 }, { $0.photos[0].source += "x" },
            { $0.photos[0].sourceLink = "https://example.org/" }, { $0.photos[0].state = .downloaded },
            { $0.photos[0].reason = Reason(.truncated) }, { $0.photos[0].since = Timestamp(seconds: 1) },
            { $0.photos[0].stale = Stale(since: Timestamp(seconds: 1), reason: Reason(.truncated)) },
            { $0.photos[0].width = nil }, { $0.photos[0].height = 1 }, { $0.photos[0].images.removeLast() },
            { $0.photos[0].images[0] = $0.photos[0].images[0].with(width: 1) },
            { $0.photos[0].images[0] = $0.photos[0].images[0].with(height: 1) },
            { $0.photos[0].images[0] = $0.photos[0].images[0].with(path: "images/x") },
            { $0.photos[0].images[0] = $0.photos[0].images[0].with(bytes: 1) },
            { $0.photos[0].images[0] = $0.photos[0].images[0].with(webp: SiteEncoding(path: "images/x", bytes: 1)) },
            { $0.photos[0].images[0] = $0.photos[0].images[0].with(webp: SiteEncoding(path: "images/x", bytes: 2)) },
            { $0.photos[0].images[0] = $0.photos[0].images[0].with(webp: SiteEncoding(path: "images/y", bytes: 1)) },
            { $0.photos[0].original = nil }, { $0.photos[0].sha256 = nil },
        ]
        var digests: Set = [Sample.everything.digest]
        for (index, change) in changes.enumerated() {
            var content = Sample.everything
            change(&content)
            #expect(digests.insert(content.digest).inserted, "change \(index) has the digest of another")
        }
    }

    @Test("The digest is that of earlier versions, because another one would have all pages rendered again")
    func lasting() {
        var content = Sample.everything
        #expect(content.digest.hex.prefix(16) == "21f65fd0ef6561bd")
        content.photos[0].sha256 = nil
        content.photos[0].width = nil
        content.photos[0].since = Timestamp(seconds: -1)
        #expect(content.digest.hex.prefix(16) == "38b14fc75a84a5bd")
    }

    @Test("A character that moves from one text to the next changes the digest")
    func boundaries() {
        var first = Sample.content([Sample.photo("A")])
        var second = first
        (first.photos[0].name, first.photos[0].slug) = ("ab", "c")
        (second.photos[0].name, second.photos[0].slug) = ("a", "bc")
        #expect(first.digest != second.digest)
        (first.photos[0].details.caption, second.photos[0].details.caption) = (nil, "")
        second.photos[0].name = "ab"
        second.photos[0].slug = "c"
        #expect(first.digest != second.digest)
    }
}

extension SiteImage {
    fileprivate func with(
        width: Int? = nil, height: Int? = nil, path: String? = nil, bytes: Int64? = nil, webp: SiteEncoding? = nil
    ) -> SiteImage {
        SiteImage(
            width: width ?? self.width, height: height ?? self.height, path: path ?? self.path,
            bytes: bytes ?? self.bytes, webp: webp)
    }
}

import Foundation
import PhotoModel
import Site

/// Contents for tests, which set no more values than a test needs.
enum Sample {
    static let settings = SiteSettings(title: "Our photos", generator: "gallerygen 1.0.0", filter: "sepia(0.8)")
    static let updated = Timestamp(seconds: 1_767_323_045)

    static func content(
        _ photos: [SitePhoto], albums: [SiteAlbum] = [], settings: SiteSettings = settings
    ) -> SiteContent {
        SiteContent(settings: settings, albums: albums, photos: SitePhotos(photos), updated: updated)
    }

    /// A filtered photo with three widths and the unfiltered picture.
    static func photo(_ name: String, slug: String? = nil, album: [String] = []) -> SitePhoto {
        let hash = Digest(of: name).prefix(16)
        return SitePhoto(
            name: name, slug: slug ?? name.lowercased(), album: album, source: "samples/\(name.lowercased()).jpg",
            state: .filtered, since: Timestamp(seconds: 1_767_000_000), width: 1800, height: 1200,
            images: [320, 800, 1600].map { image("\(hash)", width: $0) },
            original: image("\(Digest(of: hash).prefix(16))", width: 1600), sha256: Digest(of: name))
    }

    static func failed(_ name: String, slug: String? = nil, _ failure: Failure = .notFound(status: 404)) -> SitePhoto {
        SitePhoto(
            name: name, slug: slug ?? name.lowercased(), source: "https://example.org/\(name.lowercased()).jpg",
            sourceLink: "https://example.org/\(name.lowercased()).jpg", state: .failed, reason: Reason(failure),
            since: Timestamp(seconds: 1_767_100_000))
    }

    static func photos(_ count: Int) -> [SitePhoto] { (1...max(1, count)).prefix(count).map { photo("Photo\($0)") } }

    /// A photo whose pictures exist as WebP too.
    static func photoWithWebP(_ name: String) -> SitePhoto {
        func withWebP(_ image: SiteImage) -> SiteImage {
            SiteImage(
                width: image.width, height: image.height, path: image.path, bytes: image.bytes,
                webp: SiteEncoding(
                    path: image.path.replacingOccurrences(of: ".jpg", with: ".webp"), bytes: image.bytes * 3 / 4))
        }
        var photo = photo(name)
        photo.images = photo.images.map(withWebP)
        photo.original = photo.original.map(withWebP)
        return photo
    }

    private static func image(_ hash: String, width: Int) -> SiteImage {
        SiteImage(width: width, height: width * 2 / 3, path: "images/\(hash)-\(width).jpg", bytes: Int64(width) * 100)
    }

    /// A content with everything that a site can have: albums in albums, every state, details and hostile names.
    static let everything: SiteContent = {
        var detailed = photo("Detailed", album: ["Trips", "North & South"])
        detailed.details = PhotoDetails(
            caption: "A caption", alt: "What is to be seen", credit: "Somebody", license: "CC0 1.0",
            link: "https://example.org/?a=1&b=2", date: "2016-10-02T00:00:00Z", tags: ["one", "two"], rating: 4.5)
        var stale = photo("Stale", album: ["Trips"])
        stale.stale = Stale(since: Timestamp(seconds: 1_767_200_000), reason: Reason(.timeout(seconds: 300)))
        var marked = photo("Marked")
        marked.marks = [.frozen(since: Timestamp(seconds: 1_767_200_000), expectedWithin: 86_400)]
        var lost = failed("Lost")
        (lost.width, lost.height) = (900, 1350)
        var new = failed("New")
        (new.state, new.reason) = (.new, nil)
        var downloaded = photo("Downloaded")
        downloaded.state = .downloaded
        var settings = Self.settings
        settings.perPage = 4
        return content(
            [
                detailed, stale, lost, new, downloaded, failed("Missing"), photo("بحيرة", slug: "بحيرة"),
                photo("Odd", slug: "a b#c%d?e"),
            ]
                + hostileNames.enumerated().map { photo($1, slug: "hostile-\($0)") } + [marked],
            albums: [
                SiteAlbum(path: ["Trips"], slug: "trips"),
                SiteAlbum(path: ["Trips", "North & South"], slug: "north-south"),
                SiteAlbum(path: ["Empty"], slug: "empty"),
            ], settings: settings)
    }()

    /// Names that would be markup if they were not escaped.
    static let hostileNames = [
        #"<script>alert("name")</script>"#, #"" onmouseover="alert(1)"#, "' onclick='alert(2)", "</title><h1>Out</h1>",
        "{{name}} {{{source}}} {{#photos}}", "&amp; already &lt;escaped&gt; &#60;", #"a\b`c`${d}%s%n"#, "--><!--",
        "]]>",
        "\"\u{301} onfocus=alert(3) x=\"\u{301}", "<\u{200D}img src=x>", "control \u{1}\u{2}\u{8}\u{1F} \u{7F}",
    ]
}

internal import PhotoModel

/// The Atom feed (RFC 4287) of the photos that changed last.
///
/// An entry is a change: a photo that is new, failed, became stale, got a mark or recovered. Its id is a UUID derived
/// from the site's address (or else its title), the photo's slug and the change. So an entry keeps its id from build to
/// build, and feed readers show the photo's next change as another entry. Links are absolute if the site's address is
/// known. Otherwise they are relative to the feed's own address, which RFC 4287 §2 and xml:base allow.
final class FeedPage: TemplateContext {
    /// The largest number of entries. With more of them, feed readers would download the same entries again and again.
    static let limit = 50

    private let settings: SiteSettings
    private let entries: [FeedEntry]
    private let updated: Timestamp

    init(_ content: SiteContent, _ outline: SiteOutline, _ language: PageLanguage) {
        settings = content.settings
        updated = content.updated
        let site = Self.name(of: content.settings)
        let base = content.settings.baseURL ?? ""
        entries = outline.latest(Self.limit).map {
            FeedEntry(photo: content.photos[$0], site: site, base: base, language: language)
        }
    }

    static let vocabulary = TemplateSchema<FeedPage>([
        "siteTitle": .text { $0.settings.title },
        "language": .text { $0.settings.language },
        "generator": .text { $0.settings.generator },
        "id": .text { uuid(of: name(of: $0.settings)) },
        "updated": .text { $0.updated.description },
        "home": .text { ($0.settings.baseURL ?? "") + SitePath.index },
        "self": .text { feed in feed.settings.baseURL.map { $0 + SitePath.feed } },
        "entries": .list { $0.entries },
    ])

    private static func name(of settings: SiteSettings) -> String { settings.baseURL ?? settings.title }

    /// A UUID of version 8 (RFC 9562 §5.8), derived from the SHA-256 of `name`.
    static func uuid(of name: String) -> String {
        let hex = Digest(of: "gallerygen \(name)").hex
        var digits = Array(hex.prefix(32))
        digits[12] = "8"
        digits[16] = "a"
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return "urn:uuid:" + groups.joined(separator: "-")
    }
}

extension SitePhoto {
    /// The time at which the photo entered its state, became stale, got a mark, or recovered.
    var changed: Timestamp {
        marks.reduce(max(since, stale?.since ?? since, recovered ?? since)) { max($0, $1.began) }
    }

    /// The identity of the photo's last change, which differs from that of every earlier change.
    fileprivate var change: String {
        let state = stale == nil ? foremostMark?.code.rawValue ?? state.rawValue : "stale"
        return "\(state) \(changed)"
    }
}

/// The feed's entry for the last change of a photo.
final class FeedEntry: TemplateContext {
    private let view: PhotoView
    private let site: String
    private let base: String

    init(photo: SitePhoto, site: String, base: String, language: PageLanguage) {
        view = PhotoView(photo, root: base, language: language)
        self.site = site
        self.base = base
    }

    private var largest: SiteImage? { view.photo.images.last }

    static let vocabulary = TemplateSchema<FeedEntry>(
        with: { $0.view },
        [
            "id": .text { FeedPage.uuid(of: "\($0.site) \($0.view.photo.slug) \($0.view.photo.change)") },
            "updated": .text { $0.view.photo.changed.description },
            "isRecovered": .flag { $0.view.photo.recovered != nil },
            "pictureHref": .text { entry in
                entry.largest.map { SitePath.link(toPicture: $0.path, root: entry.base) }
            },
            "pictureType": .text { entry in
                entry.largest.map { $0.path.hasSuffix(".png") ? "image/png" : "image/jpeg" }
            },
            "pictureBytes": .text { entry in entry.largest.map { String($0.bytes) } },
        ])
}

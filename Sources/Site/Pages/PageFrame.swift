internal import PhotoModel

/// The parts that every HTML page has: its head, and the links to other pages.
final class PageFrame: TemplateContext {
    let site: SiteFrame
    /// The relative path from this page to the site's folder: "" or "../".
    let root: String
    /// The path of the page, relative to the site.
    let path: String

    init(site: SiteFrame, root: String, path: String) {
        self.site = site
        self.root = root
        self.path = path
    }

    var language: PageLanguage { site.language }

    static let vocabulary = TemplateSchema<PageFrame>([
        "siteTitle": .text { $0.site.settings.title },
        "language": .text { $0.site.settings.language },
        "isRightToLeft": .flag { $0.language.isRightToLeft },
        "generator": .text { $0.site.settings.generator },
        "filter": .text { $0.site.settings.filter == "none" ? nil : $0.site.settings.filter },
        "root": .text { $0.root },
        "home": .text { $0.root + SitePath.index },
        "feed": .text { $0.root + SitePath.feed },
        "statusPage": .text { $0.root + SitePath.statusPage },
        "favicon": .text { frame in frame.site.favicon.map { frame.root + $0 } },
        "stylesheets": .list { frame in frame.site.stylesheets.map { LinkView(href: frame.root + $0) } },
        "scripts": .list { frame in frame.site.scripts.map { LinkView(href: frame.root + $0) } },
        "earlyScripts": .list { frame in frame.site.earlyScripts.map { LinkView(href: frame.root + $0) } },
        "hasScripts": .flag { !$0.site.scripts.isEmpty || !$0.site.earlyScripts.isEmpty },
        "viewer": .text { $0.root + $0.site.viewer },
        "pictureOrigin": .text { $0.site.pictureOrigin },
        "live": .object { frame in
            frame.site.live.map { LiveView(href: frame.root + SitePath.live, script: frame.root + $0) }
        },
        "preview": .object { frame in frame.site.preview.map { PreviewView(frame.site, $0, root: frame.root) } },
        "siteHasAlbums": .flag { $0.site.hasAlbums },
        "siteHasTags": .flag { $0.site.hasTags },
        "canonical": .text { frame in
            frame.site.settings.baseURL.map { base in
                base + (frame.path == SitePath.index ? "" : SitePath.encoded(frame.path))
            }
        },
    ])
}

/// The parts that all pages of a site have in common. All pages share one instance.
final class SiteFrame: Sendable {
    let settings: SiteSettings
    let language: PageLanguage
    /// The paths of the style sheets, relative to the site.
    let stylesheets: [String]
    /// The paths of the scripts that run after the page is parsed, relative to the site.
    let scripts: [String]
    /// The paths of the scripts that run before the page is shown, so that the layout doesn't shift afterwards. Their
    /// names begin with "early".
    let earlyScripts: [String]
    /// The path of the script with the viewer's markup, which is loaded when the viewer is opened for the first time.
    let viewer: String
    /// The path of the script by which a page updates itself; nil if the site is not live.
    let live: String?
    /// The additional parts of a preview's pages; nil in a published site.
    let preview: PreviewMark?
    /// The paths of the style sheet and the script of a preview, relative to the site.
    let previewAssets: [String]
    let hasAlbums: Bool
    /// Whether any photo has tags.
    let hasTags: Bool
    let favicon: String?
    /// The scheme, host and port of the pictures, as in a Content-Security-Policy; nil if they are in the site.
    let pictureOrigin: String?

    init(
        _ content: SiteContent, hasTags: Bool, templates: TemplateSet, viewer: SiteFile, preview: PreviewMark? = nil
    ) {
        let assets = templates.assets
        settings = content.settings
        language = templates.language
        hasAlbums = !content.albums.isEmpty
        self.hasTags = hasTags
        stylesheets = assets.stylesheets.map(\.path)
        let paths = assets.scripts.map(\.path)
        earlyScripts = paths.filter { $0.hasPrefix("assets/early") }
        self.viewer = viewer.path
        live = settings.isLive ? assets.live?.path : nil
        self.preview = preview
        previewAssets = assets.preview.map(\.path)
        scripts = paths.filter { !$0.hasPrefix("assets/early") }
        favicon = assets.favicon?.path
        pictureOrigin = settings.picturesAt.flatMap(Self.origin)
    }

    /// - Returns: nil for a text that is no URL with a host.
    private static func origin(of url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let origin = url[..<scheme.upperBound] + url[scheme.upperBound...].prefix { $0 != "/" }
        // Other characters could begin another source or directive.
        let isSafe = origin.utf8.allSatisfy { byte in
            SitePath.isUnreserved(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[")
                || byte == UInt8(ascii: "]")
        }
        return isSafe ? String(origin) : nil
    }

    func page(_ path: String) -> PageFrame {
        PageFrame(site: self, root: path.contains("/") ? "../" : "", path: path)
    }
}

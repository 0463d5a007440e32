/// A page of an album: the albums in it, and at most `perPage` of its photos.
final class AlbumPage: TemplateContext {
    private let frame: PageFrame
    private let node: AlbumHierarchy.Node
    private let ancestors: [AlbumHierarchy.Node]
    /// The photos of the site, some of which are the covers of the albums in this one.
    private let photos: SitePhotos
    /// The cards of the photos on this page, rendered with the template "card".
    private let cards: [UInt8]
    /// The number of the first photo on this page among the photos directly in the album, counted from 1.
    private let first: Int
    private let pager: PagerView

    init(
        frame: PageFrame, node: AlbumHierarchy.Node, ancestors: [AlbumHierarchy.Node], photos: SitePhotos,
        cards: [UInt8], first: Int, pager: PagerView
    ) {
        self.frame = frame
        self.node = node
        self.ancestors = ancestors
        self.photos = photos
        self.cards = cards
        self.first = first
        self.pager = pager
    }

    /// The albums in this one, which only the first page shows.
    private var children: [AlbumHierarchy.Node] { pager.number == 1 ? node.children : [] }

    static let vocabulary = TemplateSchema<AlbumPage>(
        with: { $0.frame },
        [
            "albumName": .text { $0.node.name },
            "albumSlug": .text { $0.node.slug },
            "breadcrumbs": .list { page in
                (page.ancestors + (page.pager.number == 1 ? [] : [page.node])).map {
                    LinkView(album: $0, root: page.frame.root)
                }
            },
            "albums": .list { page in
                page.children.map {
                    AlbumView($0, photos: page.photos, root: page.frame.root, language: page.frame.language)
                }
            },
            "hasAlbums": .flag { !$0.children.isEmpty },
            "photos": .markup { $0.cards },
            "hasPhotos": .flag { !$0.cards.isEmpty },
            "first": .number { $0.first },
            "photoCount": .number { $0.node.photos.count },
            "isEmpty": .flag { $0.cards.isEmpty && $0.node.children.isEmpty },
            "isFirst": .flag { $0.pager.number == 1 },
            "pager": .object { $0.pager.count > 1 ? $0.pager : nil },
            "count": .object { CountView($0.node.total, $0.frame.language) },
        ])
}

extension LinkView {
    convenience init(album: AlbumHierarchy.Node, root: String) {
        self.init(href: root + SitePath.encoded(SitePath.album(album.slug)), name: album.name)
    }
}

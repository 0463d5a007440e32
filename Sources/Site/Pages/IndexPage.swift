internal import PhotoModel

/// A page of the index: at most `perPage` photos, in the order of the manifest.
final class IndexPage: TemplateContext {
    private let frame: PageFrame
    /// Each of its photos by the template "card", one after the other.
    private let cards: [UInt8]
    /// The number of the first of them among all photos, from 1.
    private let first: Int
    private let summary: SiteSummary
    private let albums: [AlbumTree.Node]
    /// All of the site, of which some are the covers of albums.
    private let photos: SitePhotos
    private let pager: PagerView
    private let updated: Timestamp

    /// - Parameter albums: The outermost ones; only the first page shows them.
    init(
        frame: PageFrame, cards: [UInt8], first: Int, summary: SiteSummary, albums: [AlbumTree.Node],
        photos: SitePhotos, pager: PagerView, updated: Timestamp
    ) {
        self.frame = frame
        self.cards = cards
        self.first = first
        self.summary = summary
        self.albums = albums
        self.photos = photos
        self.pager = pager
        self.updated = updated
    }

    /// Values that change with any photo are on the first page only, so that the other pages stay the same.
    private func onFirstPage<Value>(_ value: (IndexPage) -> Value?) -> Value? { pager.number == 1 ? value(self) : nil }

    /// A live page has none: its photos change while it stays, and its header counts them.
    private var needingAttention: Int {
        pager.number == 1 && frame.site.live == nil ? summary.needingAttention : 0
    }

    static let vocabulary = TemplateSchema<IndexPage>(
        with: { $0.frame },
        [
            "photos": .markup { $0.cards },
            "isEmpty": .flag { $0.cards.isEmpty },
            "first": .number { $0.first },
            "count": .object { CountView($0.summary.photos, $0.frame.language) },
            "failed": .object { $0.onFirstPage { CountView(present: $0.summary.failed, $0.frame.language) } },
            "stale": .object { $0.onFirstPage { CountView(present: $0.summary.stale, $0.frame.language) } },
            "waiting": .object { $0.onFirstPage { CountView(present: $0.summary.new, $0.frame.language) } },
            "needsAttention": .object { CountView(present: $0.needingAttention, $0.frame.language) },
            "isFirst": .flag { $0.pager.number == 1 },
            "updated": .object { $0.onFirstPage { TimeView($0.updated, $0.frame.language) } },
            "albums": .list { page in
                page.albums.map {
                    AlbumView($0, photos: page.photos, root: page.frame.root, language: page.frame.language)
                }
            },
            "hasAlbums": .flag { !$0.albums.isEmpty },
            "pager": .object { $0.pager.count > 1 ? $0.pager : nil },
        ])
}

/// The number of a site's photos in each state.
package struct SiteSummary: Hashable, Sendable {
    package private(set) var photos = 0
    package private(set) var new = 0
    package private(set) var downloaded = 0
    package private(set) var filtered = 0
    package private(set) var failed = 0
    /// These are among the others too: a stale photo is shown as it was.
    package private(set) var stale = 0
    /// The number of photos that need attention: failed, stale, or not fetched.
    package private(set) var needingAttention = 0

    init() {}

    package init(_ content: SiteContent) {
        for photo in content.photos {
            add(photo.state, isStale: photo.stale != nil, needsAttention: photo.needsAttention)
        }
    }

    mutating func add(_ state: PhotoState, isStale: Bool, needsAttention: Bool) {
        photos += 1
        switch state {
        case .new: new += 1
        case .downloaded: downloaded += 1
        case .filtered: filtered += 1
        case .failed: failed += 1
        }
        if isStale { stale += 1 }
        if needsAttention { needingAttention += 1 }
    }
}

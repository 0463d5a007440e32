package import PhotoModel

/// A page of the index: at most `perPage` photos, in the order of the manifest.
final class IndexPage: TemplateContext {
    private let frame: PageFrame
    /// The cards of the photos on this page, rendered with the template "card".
    private let cards: [UInt8]
    /// The number of the first photo on this page among all photos, counted from 1.
    private let first: Int
    private let summary: SiteSummary
    private let albums: [AlbumHierarchy.Node]
    /// The photos of the site, some of which are the covers of albums.
    private let photos: SitePhotos
    private let pager: PagerView
    private let updated: Timestamp

    /// - Parameter albums: the outermost albums; empty except for the first page.
    init(
        frame: PageFrame, cards: [UInt8], first: Int, summary: SiteSummary, albums: [AlbumHierarchy.Node],
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

    /// Values that change with any photo are shown on the first page only, so that the other pages stay the same.
    private func onFirstPage<Value>(_ value: (IndexPage) -> Value?) -> Value? { pager.number == 1 ? value(self) : nil }

    /// The number of photos that need attention. It is 0 on a live page, whose photos change while it is open and are
    /// counted in its header.
    private var needingAttention: Int {
        pager.number == 1 && frame.site.live == nil ? summary.needingAttention : 0
    }

    private func marked(_ code: MarkCode) -> CountView? {
        onFirstPage { CountView(present: $0.summary.marks[code] ?? 0, $0.frame.language) }
    }

    static let vocabulary = TemplateSchema<IndexPage>(
        with: { $0.frame },
        [
            "photos": .markup { $0.cards },
            "isEmpty": .flag { $0.summary.photos == 0 },
            "first": .number { $0.first },
            "count": .object { CountView($0.summary.photos, $0.frame.language) },
            "failed": .object { $0.onFirstPage { CountView(present: $0.summary.failed, $0.frame.language) } },
            "stale": .object { $0.onFirstPage { CountView(present: $0.summary.stale, $0.frame.language) } },
            "frozen": .object { $0.marked(.frozen) },
            "changed": .object { $0.marked(.changed) },
            "suspicious": .object { $0.marked(.suspicious) },
            "archived": .object { $0.marked(.archived) },
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
    /// The number of stale photos. They are also counted in the state in which they are shown.
    package private(set) var stale = 0
    /// The number of photos with each mark. They are also counted in the state in which they are shown.
    package private(set) var marks: [MarkCode: Int] = [:]
    /// The number of photos that need attention: they failed, are stale, have a mark, or have not been downloaded.
    package private(set) var needingAttention = 0

    init() {}

    package init(_ content: SiteContent) {
        for photo in content.photos {
            add(
                photo.state, isStale: photo.stale != nil, marks: photo.marks.map(\.code),
                needsAttention: photo.needsAttention)
        }
    }

    mutating func add(_ state: PhotoState, isStale: Bool, marks codes: [MarkCode], needsAttention: Bool) {
        photos += 1
        switch state {
        case .new: new += 1
        case .downloaded: downloaded += 1
        case .filtered: filtered += 1
        case .failed: failed += 1
        }
        if isStale { stale += 1 }
        for code in codes { marks[code, default: 0] += 1 }
        if needsAttention { needingAttention += 1 }
    }
}

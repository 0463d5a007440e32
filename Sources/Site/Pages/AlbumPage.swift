/// The page of one album: the albums in it, and its photos.
final class AlbumPage: TemplateSubject {
    private let frame: PageFrame
    private let node: AlbumTree.Node
    private let ancestors: [AlbumTree.Node]
    /// Each of its photos by the template "card", one after the other.
    private let cards: [UInt8]

    init(frame: PageFrame, node: AlbumTree.Node, ancestors: [AlbumTree.Node], cards: [UInt8]) {
        self.frame = frame
        self.node = node
        self.ancestors = ancestors
        self.cards = cards
    }

    static let vocabulary = Vocabulary<AlbumPage>(
        with: { $0.frame },
        [
            "albumName": .text { $0.node.name },
            "trail": .list { page in page.ancestors.map { LinkView(album: $0, root: page.frame.root) } },
            "albums": .list { page in page.node.children.map { AlbumView($0, root: page.frame.root, language: page.frame.language) } },
            "hasAlbums": .flag { !$0.node.children.isEmpty },
            "photos": .markup { $0.cards },
            "hasPhotos": .flag { !$0.cards.isEmpty },
            "isEmpty": .flag { $0.cards.isEmpty && $0.node.children.isEmpty },
            "count": .object { CountView($0.node.total, $0.frame.language) },
        ])
}

extension LinkView {
    init(album: AlbumTree.Node, root: String) {
        self.init(href: root + SitePath.encoded(SitePath.album(album.slug)), name: album.name)
    }

    init(photo: SitePhoto, root: String) {
        self.init(href: root + SitePath.encoded(SitePath.photo(photo.slug)), name: photo.name)
    }
}

/// An album in a list of albums, with the albums in it.
final class AlbumView: TemplateContext {
    private let node: AlbumHierarchy.Node
    private let photos: SitePhotos
    private let root: String
    private let language: PageLanguage

    /// - Parameter photos: the photos of the site, one of which is the album's cover.
    init(_ node: AlbumHierarchy.Node, photos: SitePhotos, root: String, language: PageLanguage) {
        self.node = node
        self.photos = photos
        self.root = root
        self.language = language
    }

    static let vocabulary = TemplateSchema<AlbumView>([
        "albumName": .text { $0.node.name },
        "href": .text { $0.root + SitePath.encoded(SitePath.album($0.node.slug)) },
        "count": .object { CountView($0.node.total, $0.language) },
        "picture": .object { album in
            album.node.cover.flatMap {
                PictureView(album.photos[$0].images, root: album.root, language: album.language)
            }
        },
        "albums": .list { album in
            album.node.children.map {
                AlbumView($0, photos: album.photos, root: album.root, language: album.language)
            }
        },
        "hasAlbums": .flag { !$0.node.children.isEmpty },
    ])
}

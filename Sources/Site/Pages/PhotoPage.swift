/// The page of one photo.
final class PhotoPage: TemplateContext {
    private let frame: PageFrame
    private let photo: PhotoView
    private let breadcrumbs: [AlbumHierarchy.Node]
    private let upPath: String
    private let previous: NeighbourView?
    private let next: NeighbourView?
    /// The photo's number in the list, counted from 1.
    private let position: Int
    private let total: Int

    /// - Parameters:
    ///   - breadcrumbs: the albums that contain the photo, outermost first.
    ///   - upPath: the path of the page that lists the photo, relative to the site.
    init(
        frame: PageFrame, photo: SitePhoto, breadcrumbs: [AlbumHierarchy.Node], upPath: String, previous: SitePhoto?,
        next: SitePhoto?, position: Int, total: Int
    ) {
        self.frame = frame
        func neighbour(_ photo: SitePhoto) -> NeighbourView {
            NeighbourView(photo, root: frame.root, language: frame.language)
        }
        self.photo = PhotoView(photo, root: frame.root, language: frame.language)
        self.breadcrumbs = breadcrumbs
        self.upPath = upPath
        self.previous = previous.map(neighbour)
        self.next = next.map(neighbour)
        self.position = position
        self.total = total
    }

    /// The absolute address of the picture for social cards, because their readers don't resolve relative links.
    private var socialImage: String? {
        guard let base = frame.site.settings.baseURL, let image = photo.photo.images.last else { return nil }
        return SitePath.link(toPicture: image.path, root: base)
    }

    private var structuredData: [UInt8] {
        StructuredData(photo.photo, root: frame.site.settings.baseURL ?? frame.root).script
    }

    static let vocabulary = TemplateSchema<PhotoPage>(
        with: { $0.frame },
        [
            "photo": .object { $0.photo },
            "breadcrumbs": .list { page in page.breadcrumbs.map { LinkView(album: $0, root: page.frame.root) } },
            "up": .text { page in
                page.frame.root + SitePath.encoded(page.upPath) + "#"
                    + SitePath.encoded(SitePath.anchor(page.photo.photo.slug))
            },
            "previous": .object { $0.previous },
            "next": .object { $0.next },
            "position": .text { $0.frame.language.number($0.position) },
            "number": .number { $0.position },
            "total": .text { $0.frame.language.number($0.total) },
            "structuredData": .markup { $0.structuredData },
            "socialImage": .text { $0.socialImage },
        ])
}

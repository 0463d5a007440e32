/// The previous or next photo on the page of a photo. It only has the data that `SiteOutline.linkDigests` covers, so
/// that the page is rendered again if this data changes, and not for other changes of the neighbours.
final class NeighbourView: TemplateContext {
    private let photo: SitePhoto
    private let root: String
    private let language: PageLanguage

    init(_ photo: SitePhoto, root: String, language: PageLanguage) {
        self.photo = photo
        self.root = root
        self.language = language
    }

    static let vocabulary = TemplateSchema<NeighbourView>([
        "name": .text { $0.photo.name },
        "href": .text { $0.root + SitePath.encoded(SitePath.photo($0.photo.slug)) },
        "picture": .object { PictureView($0.photo.images, root: $0.root, language: $0.language) },
    ])
}

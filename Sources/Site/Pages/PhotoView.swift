internal import PhotoModel

/// A photo in templates: on a page that lists it, in the feed, and on its own page.
final class PhotoView: TemplateContext {
    let photo: SitePhoto
    let language: PageLanguage
    private let root: String
    /// The position among the photos of the page, counted from 0. It decides whether the picture is loaded eagerly or
    /// lazily.
    private let position: Int

    /// The number of pictures that are loaded eagerly. They fill the first screen of most windows.
    private static let eagerPictures = 4

    init(_ photo: SitePhoto, root: String, language: PageLanguage, position: Int = 0) {
        self.photo = photo
        self.language = language
        self.root = root
        self.position = position
    }

    /// The size of the picture or its placeholder, in pixels; 3 × 2 if the size is unknown.
    private var size: (width: Int, height: Int) {
        if let largest = photo.images.last { return (largest.width, largest.height) }
        guard let width = photo.width, let height = photo.height, width > 0, height > 0 else { return (3, 2) }
        return (width, height)
    }

    /// The earlier versions that the page shows.
    private var shownVersions: [VersionView] {
        photo.versions.compactMap { VersionView($0, root: root, language: language) }
    }

    /// The number of pictures that the current one can be compared with.
    private var comparisons: Int { (photo.original == nil ? 0 : 1) + photo.versions.count { $0.image != nil } }

    /// Pictures with fewer pixels than this in width and height are not enlarged to the size of a card.
    private static let smallPicture = 200

    private var isSmall: Bool {
        guard let largest = photo.images.last else { return false }
        return max(largest.width, largest.height) < Self.smallPicture
    }

    static let vocabulary = TemplateSchema<PhotoView>(detailEntries.merging(stateEntries) { first, _ in first })

    private static let detailEntries: [String: TemplateSchema<PhotoView>.Entry] = [
        "name": .text { $0.photo.name },
        "slug": .text { $0.photo.slug },
        "anchor": .text { SitePath.anchor($0.photo.slug) },
        "page": .text { SitePath.encoded(SitePath.photo($0.photo.slug)) },
        "href": .text { $0.root + SitePath.encoded(SitePath.photo($0.photo.slug)) },
        "alt": .text { $0.photo.details.alt ?? $0.photo.name },
        "caption": .text { $0.photo.details.caption },
        "credit": .text { $0.photo.details.credit },
        "license": .text { $0.photo.details.license },
        "licenseLink": .text { $0.photo.details.license.flatMap(LicenseLink.href) },
        "link": .text { $0.photo.details.link },
        "date": .object { photo in photo.photo.details.date.map { TimeView(manifestDate: $0, photo.language) } },
        "taken": .object { photo in photo.photo.taken.map { TimeView(local: $0, photo.language) } },
        "camera": .text { $0.photo.camera },
        "lens": .text { $0.photo.lens },
        "exposure": .text { $0.photo.exposure },
        "tags": .list { $0.photo.details.tags.map(TemplateText.init) },
        "hasTags": .flag { !$0.photo.details.tags.isEmpty },
        "rating": .text { $0.photo.details.rating.map(ratingText) },
        "source": .text { $0.photo.source },
        "sourceLink": .text { $0.photo.sourceLink },
        "vote": .text { photo in photo.photo.vote.map { photo.language.string("thumb." + $0.rawValue) } },
        "voteCode": .text { $0.photo.vote?.rawValue },
        "picture": .object { PictureView($0.photo.images, root: $0.root, language: $0.language) },
        "original": .object { photo in
            photo.photo.original.flatMap { PictureView([$0], root: photo.root, language: photo.language) }
        },
        "versions": .list { $0.shownVersions },
        "hasVersions": .flag { !$0.shownVersions.isEmpty },
        "hasComparison": .flag { $0.comparisons > 0 },
        "hasChoice": .flag { $0.comparisons > 1 },
        "placeholderColour": .text { $0.photo.placeholderColour },
        "loading": .text { $0.position < eagerPictures ? "eager" : "lazy" },
        "isFirst": .flag { $0.position == 0 },
        "isSmall": .flag { $0.isSmall },
        "ratioClass": .text { AspectRatio(width: $0.size.width, height: $0.size.height).className },
        "aspectRatio": .text { AspectRatio(width: $0.size.width, height: $0.size.height).text },
        "aspectWidth": .number { $0.size.width },
        "aspectHeight": .number { $0.size.height },
        "width": .number { $0.photo.width },
        "height": .number { $0.photo.height },
        "downloaded": .object { photo in photo.photo.downloaded.map { TimeView($0, photo.language) } },
        "sha256": .text { $0.photo.sha256?.hex },
        "sha256Short": .text { $0.photo.sha256?.prefix(12) },
    ]

    private static let stateEntries: [String: TemplateSchema<PhotoView>.Entry] = [
        "state": .text { $0.photo.state.rawValue },
        "stateLabel": .text { $0.language.string("state." + $0.photo.state.rawValue) },
        "isNew": .flag { $0.photo.state == .new },
        "isDownloaded": .flag { $0.photo.state == .downloaded },
        "isFiltered": .flag { $0.photo.state == .filtered },
        "isFailed": .flag { $0.photo.state == .failed },
        "since": .object { TimeView($0.photo.since, $0.language) },
        "reason": .object { photo in photo.photo.reason.map { ReasonView($0, photo.language) } },
        "stale": .object { photo in photo.photo.stale.map { StaleView($0, photo.language) } },
        "marks": .list { photo in photo.photo.marks.map { MarkView($0, photo.language) } },
        "mark": .object { photo in photo.photo.foremostMark.map { MarkView($0, photo.language) } },
        "manifestPosition": .text { $0.photo.manifestPosition },
        "retryAfter": .object { photo in photo.photo.retryAfter.map { TimeView($0, photo.language) } },
    ]
}

internal import PhotoModel

/// status.html: the photos that need attention, for the person who maintains the list.
final class StatusPage: TemplateContext {
    /// The largest number of photos on the page. Nobody would read more, and browsers would be slow to show them.
    /// status.json has all photos.
    private static let limit = 2_000

    private let frame: PageFrame
    private let photos: [PhotoView]
    /// The number of further photos that the page does not show.
    private let omitted: Int

    init(_ content: SiteContent, _ outline: SiteOutline, frame: PageFrame) {
        self.frame = frame
        omitted = max(0, outline.needingAttention.count - Self.limit)
        photos = outline.needingAttention.prefix(Self.limit).map {
            PhotoView(content.photos[$0], root: frame.root, language: frame.language)
        }
    }

    static let vocabulary = TemplateSchema<StatusPage>(
        with: { $0.frame },
        [
            "photos": .list { $0.photos },
            "hasPhotos": .flag { !$0.photos.isEmpty },
            "omitted": .object { CountView(present: $0.omitted, $0.frame.language) },
        ])
}

extension SitePhoto {
    /// Whether somebody should look at the photo: it failed, could not be refreshed, has not been downloaded yet, was
    /// postponed by its server, or has a mark.
    package var needsAttention: Bool {
        state == .failed || state == .new || stale != nil || retryAfter != nil || !marks.isEmpty
    }
}

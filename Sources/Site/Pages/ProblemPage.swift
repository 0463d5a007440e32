internal import PhotoModel

/// status.html: the photos that are not well, for whoever keeps the list.
final class ProblemPage: TemplateSubject {
    private let frame: PageFrame
    private let photos: [PhotoView]

    init(_ content: SiteContent, _ outline: SiteOutline, frame: PageFrame) {
        self.frame = frame
        photos = outline.unwell.map {
            PhotoView(content.photos[$0], root: frame.root, language: frame.language)
        }
    }

    static let vocabulary = Vocabulary<ProblemPage>(
        with: { $0.frame },
        [
            "photos": .list { $0.photos },
            "hasPhotos": .flag { !$0.photos.isEmpty },
        ])
}

extension SitePhoto {
    /// Whether somebody should look at it: it failed, could not be refreshed, is not fetched yet, or has to wait.
    package var isUnwell: Bool { state == .failed || state == .new || stale != nil || postponed != nil }
}

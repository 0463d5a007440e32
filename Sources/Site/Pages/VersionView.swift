/// An earlier version of a photo: its picture, and the time at which it was downloaded.
final class VersionView: TemplateContext {
    private let picture: PictureView
    private let downloaded: TimeView?

    /// - Returns: nil if the page does not show the version.
    init?(_ version: SiteVersion, root: String, language: PageLanguage) {
        guard let image = version.image, let picture = PictureView([image], root: root, language: language) else {
            return nil
        }
        self.picture = picture
        downloaded = version.downloaded.map { TimeView($0, language) }
    }

    static let vocabulary = TemplateSchema<VersionView>(
        with: { $0.picture }, ["downloaded": .object { $0.downloaded }])
}

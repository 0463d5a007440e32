/// The parts of a preview's page that a published page does not have.
package struct PreviewMark: Sendable {
    /// The token that the page's socket needs.
    let token: String
    /// The number of changes of the gallery until the page was rendered.
    let revision: Int
    /// The number of changes of photos until the page was rendered.
    let photos: Int

    package init(token: String, revision: Int, photos: Int) {
        self.token = token
        self.revision = revision
        self.photos = photos
    }
}

/// The preview in templates.
final class PreviewView: TemplateContext {
    private let mark: PreviewMark
    /// The relative path from the page to the site's folder.
    private let root: String
    /// The paths of the preview's own style sheet and script, relative to the site.
    private let assets: [String]

    init(_ frame: SiteFrame, _ mark: PreviewMark, root: String) {
        (self.mark, self.root, assets) = (mark, root, frame.previewAssets)
    }

    private func links(_ ending: String) -> [LinkView] {
        assets.filter { $0.hasSuffix(ending) }.map { LinkView(href: root + $0) }
    }

    static let vocabulary = TemplateSchema<PreviewView>([
        "token": .text { $0.mark.token },
        "revision": .text { String($0.mark.revision) },
        "photos": .text { String($0.mark.photos) },
        "stylesheets": .list { $0.links(".css") },
        "scripts": .list { $0.links(".js") },
    ])
}

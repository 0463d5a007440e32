/// The viewer's markup, as a script that inserts it into the pages. If each page contained the markup, the pages of
/// large galleries would be twice as large. The viewer's code is in the same file, so that a page on which nobody opens
/// a photo loads half as much.
final class ViewerMarkup: TemplateContext {
    let settings: SiteSettings
    let language: PageLanguage

    init(settings: SiteSettings, language: PageLanguage) {
        self.settings = settings
        self.language = language
    }

    static let vocabulary = TemplateSchema<ViewerMarkup>([
        "siteTitle": .text { $0.settings.title },
        "language": .text { $0.settings.language },
        "isRightToLeft": .flag { $0.language.isRightToLeft },
        "filter": .text { $0.settings.filter == "none" ? nil : $0.settings.filter },
    ])

    /// The script with the viewer's markup and code: assets/viewer.<hash>.js.
    func script(_ templates: TemplateSet) -> SiteFile {
        var bytes = Array("window.galleryViewer = ".utf8)
        JSON.text(String(decoding: templates.render("viewer", self), as: UTF8.self)).write(to: &bytes)
        bytes += ";\n".utf8
        bytes += templates.assets.viewer?.bytes ?? []
        return AssetSet.file(named: "viewer", type: "js", bytes)
    }
}

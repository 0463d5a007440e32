/// The viewer, as a script that hands its markup to the pages: were it in each of them, the pages of large galleries
/// would be twice their size. Its code is in the same file, so that a page which nobody opens a photo of loads half.
struct ViewerMarkup: TemplateContext {
    let settings: SiteSettings
    let language: PageLanguage

    static let vocabulary = TemplateSchema<ViewerMarkup>([
        "siteTitle": .text { $0.settings.title },
        "language": .text { $0.settings.language },
        "filter": .text { $0.settings.filter == "none" ? nil : $0.settings.filter },
    ])

    /// assets/viewer.<hash>.js.
    func script(_ templates: TemplateSet) -> SiteFile {
        var bytes = Array("window.galleryViewer = ".utf8)
        JSON.text(String(decoding: templates.render("viewer", self), as: UTF8.self)).write(to: &bytes)
        bytes += ";\n".utf8
        bytes += templates.assets.viewer?.bytes ?? []
        return AssetSet.file(named: "viewer", type: "js", bytes)
    }
}

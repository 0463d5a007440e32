/// A photo as open pages take it in place of an earlier state: its card as the template `card` renders it, and its
/// record for the scripts. Both are JSON.
package struct PhotoUpdate: Sendable {
    package let card: [UInt8]
    package let record: [UInt8]

    /// A placeholder for the relative path from a page to the site's folder: the last private-use character.
    private static let root = "\u{10FFFD}"

    package init(_ photo: SitePhoto, templates: TemplateSet) {
        // The position of the card on its page is unknown, so all its pictures are loaded lazily.
        let view = PhotoView(photo, root: Self.root, language: templates.language, position: Int.max)
        card = JSON.text(String(decoding: templates.render("card", view), as: UTF8.self)).bytes
        record = photoData(photo, templates.language).bytes
    }
}

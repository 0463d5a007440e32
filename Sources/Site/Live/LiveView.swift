/// The values that a page needs to update itself while the site is built.
final class LiveView: TemplateContext {
    /// The link to status.js.
    let href: String
    /// The link to the script that requests status.js.
    let script: String

    init(href: String, script: String) {
        self.href = href
        self.script = script
    }

    static let vocabulary = TemplateSchema<LiveView>([
        "href": .text { $0.href },
        "script": .text { $0.script },
    ])
}

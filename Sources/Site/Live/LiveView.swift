/// The values that a page needs to update itself while the site is built.
struct LiveView: TemplateContext {
    /// The link to status.js.
    let href: String
    /// The link to the script that requests status.js.
    let script: String

    static let vocabulary = TemplateSchema<LiveView>([
        "href": .text { $0.href },
        "script": .text { $0.script },
    ])
}

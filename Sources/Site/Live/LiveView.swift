/// What a page needs to bring itself up to date while the site is built.
struct LiveView: TemplateContext {
    /// Where status.js is.
    let href: String
    /// Where the script is that asks for it.
    let script: String

    static let vocabulary = TemplateSchema<LiveView>([
        "href": .text { $0.href },
        "script": .text { $0.script },
    ])
}

/// What a page needs to bring itself up to date while the site is built.
struct LiveView: TemplateSubject {
    /// Where status.js is.
    let href: String
    /// Where the script is that asks for it.
    let script: String

    static let vocabulary = Vocabulary<LiveView>([
        "href": .text { $0.href },
        "script": .text { $0.script },
    ])
}

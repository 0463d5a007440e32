package import PhotoModel

/// The templates and assets that a site is rendered with: the built-in ones, some of which can be overridden.
package struct TemplateSet: Sendable {
    /// The digest of all files together.
    package let digest: Digest
    /// The digest of the words in all languages.
    let stringsDigest: Digest
    /// The language of the pages' own strings, a tag of BCP 47 in lower case. It is English if there are no texts in
    /// the requested language.
    private let stringsLanguage: String
    /// The names of the templates that are not built in, without ".mustache".
    private let added: [String]
    private let parsed: ParsedOnDemand

    var assets: AssetSet { parsed.value.assets }
    var language: PageLanguage { parsed.value.language }

    /// The built-in files as they were written, by name: "index.mustache", "assets/gallery.css", "strings/en.txt".
    package static let builtIn = EmbeddedTemplates.files.mapValues { Array($0.utf8) }

    /// The type of context that each template is rendered with. All templates except "card", "viewer" and "attention"
    /// produce pages or the feed.
    static let pages: [String: any TemplateContext.Type] = [
        "index": IndexPage.self, "album": AlbumPage.self, "photo": PhotoPage.self, "feed": FeedPage.self,
        "card": PhotoView.self, "viewer": ViewerMarkup.self, "status": StatusPage.self,
        "attention": IndexPage.self,
    ]

    /// The names of all variables that any template can use.
    package static var variables: Set<String> {
        var contexts: [ObjectIdentifier: any TemplateContext.Type] = [:]
        var waiting = Array(pages.values)
        while let context = waiting.popLast() {
            guard contexts.updateValue(context, forKey: ObjectIdentifier(context)) == nil else { continue }
            waiting += context.kinds.values.compactMap(\.context)
        }
        return Set(contexts.values.flatMap { Array($0.kinds.keys) }).subtracting([TemplateText.implicitIterator])
    }

    /// - Parameters:
    ///   - overrides: files that replace built-in ones of the same name or are added to them: further partials
    ///     ("x.mustache"), further assets ("assets/x.css", which every page links to in the order of their names; .js
    ///     and .svg work in the same way) and words in further languages ("strings/fr.txt"). Hidden files, backups
    ///     ("x~") and notes ("README", "README.txt", "x.md") are ignored.
    ///   - language: the language of the pages' own strings, a tag of BCP 47.
    /// - Throws: `SiteError.template` if a file can't be used.
    package init(overrides: [String: [UInt8]], language: String = "en") throws(SiteError) {
        // A file that was copied out and not changed counts as the built-in file.
        let replacing = overrides.filter { !Self.isIgnored($0.key) && $0.value != Self.builtIn[$0.key] }
        self.init(replacing: replacing, language: language)
        if !replacing.isEmpty { try parsed.parse() }
    }

    /// The built-in templates. The tests parse them in all languages.
    /// - Parameter language: the language of the pages' own strings, a tag of BCP 47.
    package init(language: String = "en") { self.init(replacing: [:], language: language) }

    private init(replacing: [String: [UInt8]], language: String) {
        let minified = EmbeddedTemplates.minified.mapValues { Array($0.utf8) }
        let builtIn = Self.builtIn.merging(minified) { _, minified in minified }
        let files = builtIn.merging(replacing) { _, override in override }
        let lines = files.keys.sorted().map { (name: $0, line: "\($0) \(Digest(of: files[$0] ?? []))\n") }
        digest = Digest(of: lines.map(\.line).joined())
        stringsDigest = Digest(of: lines.filter { $0.name.hasPrefix("strings/") }.map(\.line).joined())
        stringsLanguage = PageStrings.language(for: language, among: files.keys)
        added = replacing.keys.filter { Self.builtIn[$0] == nil }.compactMap { $0.removing(suffix: ".mustache") }
        parsed = ParsedOnDemand(files: files, lines: lines, language: language)
    }

    /// The names of the templates that are neither built in nor included by any page, without ".mustache". The name of
    /// a built-in template may be misspelled there.
    package var unusedTemplates: [String] {
        added.isEmpty ? [] : added.filter { !parsed.value.used.contains($0) }.sorted()
    }

    /// The names of the built-in templates, without ".mustache".
    package static var builtInTemplates: [String] { builtIn.keys.compactMap { $0.removing(suffix: ".mustache") } }

    /// The differences from other templates: style sheets, scripts, and all that pages are rendered from.
    package func changes(since other: TemplateSet) -> (styles: Bool, scripts: Bool, pages: Bool) {
        (
            styles: assets.allStylesheets != other.assets.allStylesheets,
            scripts: assets.allScripts != other.assets.allScripts,
            pages: textDigests != other.textDigests || assets.pictures != other.assets.pictures
        )
    }

    /// The lines of all files that are no assets.
    private var textDigests: Set<String> {
        Set(parsed.value.fileDigests.values.joined().filter { !$0.hasPrefix("assets/") })
    }

    /// The digest of all files that affect what some templates render: the templates themselves and all that they
    /// include, the words, and the assets. A page need not be rendered again if other templates change.
    /// - Parameter names: names in `pages`.
    func digest(of names: [String]) -> Digest {
        let fileDigests = parsed.value.fileDigests
        return Digest(of: Set(names.flatMap { fileDigests[$0] ?? [] }).sorted().joined())
    }

    /// Whether the pages' own words are in this language, whatever its region.
    package func hasStrings(of language: String) -> Bool {
        language.lowercased().prefix { $0 != "-" } == stringsLanguage.prefix { $0 != "-" }
    }

    /// - Parameters:
    ///   - name: a name in `pages`.
    ///   - context: a value of the type that `pages` has for that name.
    /// - Returns: the rendered text as UTF-8.
    func render(_ name: String, _ context: some TemplateContext) -> [UInt8] {
        parsed.value.renderer.render(name, context)
    }

    private static func isIgnored(_ file: String) -> Bool {
        let names = file.split(separator: "/")
        let isNote = names.last.map { ["README", "README.txt"].contains($0) || $0.hasSuffix(".md") } ?? false
        return isNote || file.hasSuffix("~") || names.contains { $0.hasPrefix(".") }
    }
}

extension String {
    func removing(prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
    func removing(suffix: String) -> String? { hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil }
}

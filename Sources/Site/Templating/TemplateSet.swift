internal import Mustache
package import PhotoModel
internal import Templates

/// The templates and assets that a site is made with: the built-in ones, some of them perhaps replaced.
package struct TemplateSet: Sendable {
    /// Of all files together.
    package let digest: Digest

    let assets: AssetSet
    /// Whether no template is replaced; assets may be.
    let isBuiltIn: Bool
    private let library: MustacheLibrary

    /// The built-in files by name: "index.mustache", "assets/gallery.css".
    package static var builtIn: [String: [UInt8]] { EmbeddedTemplates.files }

    /// Which template is made of what. All but "card" make files.
    static let pages: [String: any TemplateSubject.Type] = [
        "index": IndexPage.self, "album": AlbumPage.self, "photo": PhotoPage.self, "feed": FeedPage.self,
        "card": PhotoView.self, "viewer": ViewerMarkup.self,
    ]

    /// The names of all variables that some template may use.
    package static var variables: Set<String> {
        var names: Set<String> = []
        var waiting = Array(pages.values)
        var visited: Set<ObjectIdentifier> = []
        while let subject = waiting.popLast() {
            guard visited.insert(ObjectIdentifier(subject)).inserted else { continue }
            for (name, kind) in subject.kinds where name != TemplateText.itself {
                names.insert(name)
                switch kind {
                case .object(let part), .list(let part): waiting.append(part)
                case .text, .markup, .flag: break
                }
            }
        }
        return names
    }

    /// - Parameter overrides: Files in place of built-in ones of the same name, or beside them: further partials
    ///   ("x.mustache") and further assets ("assets/x.css", linked by every page in the order of their names; .js
    ///   and .svg likewise). Hidden files and backups ("x~") are passed over.
    /// - Throws: `SiteError.template` if one can't be used.
    package init(overrides: [String: [UInt8]]) throws(SiteError) {
        let replacing = overrides.filter { !Self.isPassedOver($0.key) }
        let builtIn = Self.builtIn.map { ($0, $0.hasSuffix(".js") ? AssetSet.compact($1) : $1) }
        let files = replacing.merging(builtIn) { override, _ in override }
        let names = files.keys.sorted()
        var texts: [String: String] = [:]
        var assetFiles: [String: [UInt8]] = [:]
        for file in names {
            if let asset = file.removing(prefix: "assets/") {
                assetFiles[asset] = files[file]
            } else if let name = file.removing(suffix: ".mustache") {
                guard let text = String(validating: files[file] ?? [], as: UTF8.self) else {
                    throw .template(file: file, line: 1, message: "this is not UTF-8 text")
                }
                texts[name] = text
            } else {
                throw .template(file: file, line: 1, message: "neither a template (.mustache) nor in assets/")
            }
        }
        isBuiltIn = replacing.keys.allSatisfy { $0.hasPrefix("assets/") }
        assets = try AssetSet(files: assetFiles)
        library = try Self.library(of: texts)
        digest = Digest(of: names.map { "\($0) \(Digest(of: files[$0] ?? []))\n" }.joined())
    }

    /// A new engine for a run over many pages.
    func engine() -> TemplateEngine { TemplateEngine(library: library) }

    private static func library(of texts: [String: String]) throws(SiteError) -> MustacheLibrary {
        var templates: [String: MustacheTemplate] = [:]
        var trees: [String: TemplateTree] = [:]
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            templates[name] = try parse(text, file: name + ".mustache")
            trees[name] = TemplateTree(file: name + ".mustache", tags: TemplateTags.scan(text))
        }
        let check = TemplateCheck(trees: trees)
        for (page, subject) in pages.sorted(by: { $0.key < $1.key }) { try check.check(page, for: subject) }
        return MustacheLibrary(templates: templates)
    }

    private static func parse(_ text: String, file: String) throws(SiteError) -> MustacheTemplate {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if let line = lines.firstIndex(where: { $0.unicodeScalars.contains(Skeleton.opening) }) {
            throw .template(file: file, line: line + 1, message: "the control character U+0001 may not stand here")
        }
        do {
            return try MustacheTemplate(string: text)
        } catch let error as MustacheTemplate.ParserError {
            throw .template(file: file, line: error.context.lineNumber, message: words(for: error.error))
        } catch {
            throw .template(file: file, line: 1, message: "\(error)")
        }
    }

    private static func words(for error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect: "this closes another section than the one that is open"
        case .unfinishedName: "this tag is not well formed"
        case .expectedSectionEnd: "a section is not closed"
        case .invalidSetDelimiter: "this change of delimiters is not well formed"
        case .transformAppliedToInheritanceSection: "a block takes no function"
        case .illegalTokenInsideInheritSection, .textInsideInheritSection:
            "only blocks ({{$name}}…{{/name}}) may stand between {{<parent}} and {{/parent}}"
        case .invalidConfigVariableSyntax, .unrecognisedConfigVariable: "this setting is not known"
        case nil: "a tag is not closed"
        }
    }

    private static func isPassedOver(_ file: String) -> Bool {
        file.hasSuffix("~") || file.split(separator: "/").contains { $0.hasPrefix(".") }
    }
}

extension String {
    func removing(prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
    func removing(suffix: String) -> String? { hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil }
}

internal import Mustache
package import PhotoModel
internal import Synchronization
internal import Templates

/// The templates and assets that a site is made with: the built-in ones, some of them perhaps replaced.
package struct TemplateSet: Sendable {
    /// The digest of all files together.
    package let digest: Digest

    let assets: AssetSet
    let language: PageLanguage
    /// In which the pages' own words are: English where there are none in the one asked for. BCP 47, in lower case.
    private let wordsLanguage: String
    private let library: TemplateLibrary

    /// The built-in files by name: "index.mustache", "assets/gallery.css", "strings/en.txt".
    package static var builtIn: [String: [UInt8]] { EmbeddedTemplates.files }

    /// Which template is made of what. All but "card" make files.
    static let pages: [String: any TemplateContext.Type] = [
        "index": IndexPage.self, "album": AlbumPage.self, "photo": PhotoPage.self, "feed": FeedPage.self,
        "card": PhotoView.self, "viewer": ViewerMarkup.self, "status": ProblemPage.self,
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

    /// - Parameters:
    ///   - overrides: Files in place of built-in ones of the same name, or beside them: further partials
    ///     ("x.mustache"), further assets ("assets/x.css", linked by every page in the order of their names; .js and
    ///     .svg likewise) and words in further languages ("strings/fr.txt"). Hidden files and backups ("x~") are
    ///     passed over.
    ///   - language: Of the pages' own words, BCP 47.
    /// - Throws: `SiteError.template` if one can't be used.
    package init(overrides: [String: [UInt8]], language: String = "en") throws(SiteError) {
        // A file that was copied out and not changed is the built-in one.
        let replacing = overrides.filter { !Self.isPassedOver($0.key) && $0.value != Self.builtIn[$0.key] }
        let builtIn = Self.builtIn.map { ($0, $0.hasSuffix(".js") ? CompactScript($1).bytes : $1) }
        let files = replacing.merging(builtIn) { override, _ in override }
        let names = files.keys.sorted()
        var texts: [String: String] = [:]
        var assetFiles: [String: [UInt8]] = [:]
        var wordFiles: [String: [UInt8]] = [:]
        for file in names {
            if let asset = file.removing(prefix: "assets/") {
                assetFiles[asset] = files[file]
            } else if let name = file.removing(suffix: ".mustache") {
                guard let text = String(validating: files[file] ?? [], as: UTF8.self) else {
                    throw .template(file: file, line: 1, message: "this is not UTF-8 text")
                }
                texts[name] = text
            } else if file.hasPrefix("strings/") && file.hasSuffix(".txt") {
                wordFiles[file] = files[file]
            } else {
                throw .template(
                    file: file, line: 1, message: "neither a template (.mustache) nor in assets/ nor strings/….txt")
            }
        }
        assets = try AssetSet(files: assetFiles)
        let english = try PageWords.english(Self.builtIn)
        let words = try PageWords(language: language, texts: wordFiles, builtIn: Self.builtIn, english: english)
        wordsLanguage = words.language
        self.language = try PageLanguage(words: words)
        let (allTexts, knownWords) = (texts, Set(english.entries.keys))
        let parse = { @Sendable () throws(SiteError) -> MustacheLibrary in
            let (library, wordsInUse) = try Self.library(of: allTexts, words: words)
            try words.check(known: wordsInUse.union(knownWords))
            return library
        }
        if replacing.isEmpty {
            // A build that finds nothing to do never comes to parse what is built in, and known to be right.
            library = TemplateLibrary {
                do throws(SiteError) { return try parse() } catch { preconditionFailure("built in: \(error)") }
            }
        } else {
            let parsed = try parse()
            library = TemplateLibrary { parsed }
        }
        digest = Digest(of: names.map { "\($0) \(Digest(of: files[$0] ?? []))\n" }.joined())
    }

    /// Whether the pages' own words are in this language, of whatever region.
    package func hasWords(of language: String) -> Bool {
        language.lowercased().prefix { $0 != "-" } == wordsLanguage.prefix { $0 != "-" }
    }

    /// A new engine for a run over many pages.
    func engine() -> TemplateEngine { TemplateEngine(library: library.parsed) }

    /// - Returns: What Mustache renders with, and the names of the words that the templates include.
    private static func library(
        of texts: [String: String], words: PageWords
    ) throws(SiteError) -> (MustacheLibrary, wordsInUse: Set<String>) {
        var templates: [String: MustacheTemplate] = [:]
        var trees: [String: TemplateTree] = [:]
        var included: Set<String> = []
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            templates[name] = try parse(text, file: name + ".mustache")
            let tags = TemplateTags.scan(text)
            trees[name] = TemplateTree(file: name + ".mustache", tags: tags)
            included.formUnion(tags.lazy.filter { $0.kind == .partial }.map(\.name))
        }
        let wordTemplates = WordTemplates(words: words, plural: PluralRule(language: words.language))
        for name in included.sorted() {
            guard let (text, file, line) = try wordTemplates.template(named: name) else { continue }
            templates[name] = try parse(text, file: file, at: line)
            trees[name] = TemplateTree(file: file, tags: TemplateTags.scan(text).map { $0.moved(to: line) })
        }
        let check = TemplateCheck(trees: trees)
        for (page, subject) in pages.sorted(by: { $0.key < $1.key }) { try check.check(page, for: subject) }
        return (
            MustacheLibrary(templates: templates),
            Set(included.compactMap { $0.removing(prefix: WordTemplates.prefix) })
        )
    }

    /// - Parameter first: Where the text begins in its file.
    private static func parse(
        _ text: String, file: String, at first: Int = 1
    ) throws(SiteError) -> MustacheTemplate {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if let line = lines.firstIndex(where: { $0.unicodeScalars.contains(CompiledTemplate.opening) }) {
            throw .template(file: file, line: first + line, message: "the control character U+0001 may not stand here")
        }
        do {
            return try MustacheTemplate(string: text)
        } catch let error as MustacheTemplate.ParserError {
            throw .template(file: file, line: first - 1 + error.context.lineNumber, message: words(for: error.error))
        } catch {
            throw .template(file: file, line: first, message: "\(error)")
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

/// The templates as Mustache renders them, parsed when they are first needed.
private final class TemplateLibrary: Sendable {
    private let library = Mutex<MustacheLibrary?>(nil)
    private let parse: @Sendable () -> MustacheLibrary

    init(_ parse: @escaping @Sendable () -> MustacheLibrary) { self.parse = parse }

    var parsed: MustacheLibrary {
        library.withLock { library in
            let parsed = library ?? parse()
            library = parsed
            return parsed
        }
    }
}

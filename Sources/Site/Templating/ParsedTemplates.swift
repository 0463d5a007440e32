internal import PhotoModel
internal import Synchronization

/// The files of a `TemplateSet`, parsed, checked and compiled.
final class ParsedTemplates: Sendable {
    /// For each template in `TemplateSet.pages`, the digests of the files that affect it.
    let fileDigests: [String: [String]]
    /// The names of the templates that the pages and the feed are rendered from.
    let used: Set<String>
    let assets: AssetSet
    let language: PageLanguage
    let renderer: TemplateRenderer

    /// - Parameters:
    ///   - files: the content of all files by name.
    ///   - lines: for each file, in the order of the names, a line with its name and its digest.
    ///   - language: the language of the pages' own strings, a tag of BCP 47.
    /// - Throws: `SiteError.template` if a file can't be used.
    init(files: [String: [UInt8]], lines: [(name: String, line: String)], language: String) throws(SiteError) {
        var texts: [String: String] = [:]
        var assetFiles: [String: [UInt8]] = [:]
        var stringsFiles: [String: [UInt8]] = [:]
        for (file, _) in lines {
            if let asset = file.removing(prefix: "assets/") {
                assetFiles[asset] = files[file]
            } else if let name = file.removing(suffix: ".mustache") {
                guard let text = String(validating: files[file] ?? [], as: UTF8.self) else {
                    throw .template(file: file, line: 1, message: "this is not UTF-8 text")
                }
                texts[name] = text
            } else if file.hasPrefix("strings/") && file.hasSuffix(".txt") {
                stringsFiles[file] = files[file]
            } else {
                throw .template(
                    file: file, line: 1, message: "neither a template (.mustache) nor in assets/ nor strings/….txt")
            }
        }
        assets = try AssetSet(files: assetFiles)
        let builtIn = TemplateSet.builtIn
        let english = try PageStrings.english(builtIn)
        let strings = try PageStrings(language: language, texts: stringsFiles, builtIn: builtIn, english: english)
        self.language = try PageLanguage(strings: strings)
        let (templates, stringsInUse) = try Self.parse(texts, strings: strings)
        try strings.check(known: stringsInUse.union(english.entries.keys))
        renderer = TemplateRenderer(templates: templates, pages: TemplateSet.pages)
        let inclusions = Dictionary(
            uniqueKeysWithValues: TemplateSet.pages.keys.map { ($0, Self.inclusions(of: $0, templates)) })
        used = inclusions.values.reduce(into: []) { $0.formUnion($1) }
        fileDigests = inclusions.mapValues { used in
            let isUsed = { (file: String) in file.removing(suffix: ".mustache").map(used.contains) ?? true }
            return lines.filter { isUsed($0.name) }.map(\.line)
        }
    }

    /// - Returns: the checked templates of files and strings, and the names of the texts that the files include.
    private static func parse(
        _ texts: [String: String], strings: PageStrings
    ) throws(SiteError) -> (templates: [String: Template], stringsInUse: Set<String>) {
        var templates: [String: Template] = [:]
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            templates[name] = try TemplateParser.parse(text, file: name + ".mustache")
        }
        let included = templates.values.reduce(into: Set()) { $0.formUnion($1.inclusions) }
        let stringTemplates = StringTemplates(strings: strings, plural: PluralRule(language: strings.language))
        for name in included.sorted() {
            guard let (text, file, line) = try stringTemplates.template(named: name) else { continue }
            templates[name] = try TemplateParser.parse(text, file: file, firstLine: line)
        }
        let check = TemplateCheck(templates: templates)
        for (page, subject) in TemplateSet.pages.sorted(by: { $0.key < $1.key }) { try check.check(page, for: subject) }
        return (templates, Set(included.compactMap { $0.removing(prefix: StringTemplates.prefix) }))
    }

    /// The names of a template and of all templates that it includes, directly or not.
    private static func inclusions(of name: String, _ templates: [String: Template]) -> Set<String> {
        var found: Set<String> = []
        var waiting = [name]
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += templates[next]?.inclusions ?? [] }
        }
        return found
    }
}

/// Parses templates when they are first needed. A build without work needs none, and saves 5 ms.
final class ParsedOnDemand: Sendable {
    private let files: [String: [UInt8]]
    private let lines: [(name: String, line: String)]
    private let language: String
    private let parsed = Mutex<ParsedTemplates?>(nil)

    /// See `ParsedTemplates`.
    init(files: [String: [UInt8]], lines: [(name: String, line: String)], language: String) {
        self.files = files
        self.lines = lines
        self.language = language
    }

    /// Parses the files now.
    /// - Throws: `SiteError.template` if a file can't be used.
    func parse() throws(SiteError) {
        let templates = try ParsedTemplates(files: files, lines: lines, language: language)
        parsed.withLock { $0 = templates }
    }

    /// The parsed files. Files that can be wrong must have been parsed by `parse` before.
    var value: ParsedTemplates {
        parsed.withLock { parsed in
            if let parsed { return parsed }
            do {
                let templates = try ParsedTemplates(files: files, lines: lines, language: language)
                parsed = templates
                return templates
            } catch {
                // Only the built-in files are not parsed before, and the tests parse all of them.
                fatalError("a built-in template is wrong: \(error)")
            }
        }
    }
}

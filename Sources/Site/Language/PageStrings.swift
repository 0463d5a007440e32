internal import PhotoModel

/// The texts of the pages in the requested language. They are looked up in the file of the language, then in that of
/// the language without its region, and then in the English one.
struct PageStrings: Sendable {
    /// The files, most specific first; English is last.
    private let files: [StringsFile]
    /// The language of the first file: "de" for de-AT, and "en" for a language without a file.
    let language: String

    /// - Parameters:
    ///   - language: the requested language, a tag of BCP 47.
    ///   - texts: the files by name: "strings/de.txt".
    ///   - builtIn: the built-in files, which supply the texts that `texts` leaves out.
    ///   - english: the built-in English file, already parsed.
    /// - Throws: `SiteError.template` for a file that can't be parsed.
    init(
        language: String, texts: [String: [UInt8]], builtIn: [String: [UInt8]], english: StringsFile
    ) throws(SiteError) {
        var files: [StringsFile] = []
        let names = Self.files(for: language, among: texts.keys)
        for (_, name) in names {
            guard let bytes = texts[name] else { continue }
            let original = builtIn[name]
            if bytes != original { files.append(try StringsFile(file: name, bytes: bytes)) }
            if let original {
                files.append(name == english.file ? english : try StringsFile(file: name, bytes: original))
            }
        }
        self.files = files
        self.language = names.first?.tag ?? "en"
    }

    /// The language of the most specific file with texts for a language; English if there is none.
    /// - Parameters:
    ///   - requested: a tag of BCP 47.
    ///   - names: the names of files.
    static func language(for requested: String, among names: some Collection<String>) -> String {
        files(for: requested, among: names).first?.tag ?? "en"
    }

    /// The names of the files with texts for a language, most specific first.
    private static func files(
        for language: String, among names: some Collection<String>
    ) -> [(tag: String, name: String)] {
        chain(language).compactMap { tag in
            names.first { $0.lowercased() == "strings/\(tag).txt" }.map { (tag, $0) }
        }
    }

    /// The languages in which a text is looked up: "de-at", "de", "en".
    private static func chain(_ language: String) -> [String] {
        var parts = language.lowercased().split(separator: "-").map(String.init)
        var chain: [String] = []
        while !parts.isEmpty {
            chain.append(parts.joined(separator: "-"))
            parts.removeLast()
        }
        return chain.contains("en") ? chain : chain + ["en"]
    }

    /// - Returns: nil for a name that no file has.
    func entry(_ name: String) -> (entry: StringsFile.Entry, file: String)? {
        for file in files {
            if let entry = file.entries[name] { return (entry, file.file) }
        }
        return nil
    }

    var isRightToLeft: Bool { text("direction") == "rtl" }

    /// The text with the given name, in its form for other numbers if it has plural forms; the name itself if there is
    /// no such text.
    func text(_ name: String) -> String { entry(name)?.entry.plain ?? name }

    func pattern(_ name: String) throws(SiteError) -> TextPattern {
        guard let (entry, file) = entry(name) else {
            throw .template(file: "strings/en.txt", line: 1, message: "\"\(name)\" is missing")
        }
        return try Self.pattern(entry.plain, at: entry.line, of: file)
    }

    static func pattern(_ text: String, at line: Int, of file: String) throws(SiteError) -> TextPattern {
        guard let pattern = TextPattern(text) else {
            throw .template(
                file: file, line: line, message: "a brace is not closed, or does not contain a name")
        }
        return pattern
    }

    /// The built-in English texts.
    static func english(_ builtIn: [String: [UInt8]]) throws(SiteError) -> StringsFile {
        try StringsFile(file: "strings/en.txt", bytes: builtIn["strings/en.txt"] ?? [])
    }

    /// - Throws: `SiteError.template` for a name that is neither built in nor used by a template.
    func check(known: Set<String>) throws(SiteError) {
        for file in files {
            let strange = file.entries.filter { !known.contains($0.key) }
            guard let (name, entry) = strange.min(by: { $0.value.line < $1.value.line }) else { continue }
            throw .template(
                file: file.file, line: entry.line, message: "\"\(name)\" is unknown and not used by any template")
        }
    }
}

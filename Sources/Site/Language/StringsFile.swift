/// A file in Templates/strings: the words of the pages in one language.
///
/// A line is empty, a comment after "#", or "name = text". "name[few] = text" is the text of one plural form.
struct StringsFile: Sendable {
    /// A text, or all its plural forms.
    struct Entry: Sendable {
        /// The line of the first form, counted from 1.
        let line: Int
        fileprivate(set) var text: String?
        fileprivate(set) var forms: [PluralCategory: String] = [:]

        /// The text, or its form for other numbers.
        var plain: String { text ?? forms[.other] ?? "" }
    }

    /// The name of the file: "strings/de.txt".
    let file: String
    private(set) var entries: [String: Entry] = [:]

    /// - Throws: `SiteError.template` for a line with another syntax, a name that is defined twice, or a text with
    ///   plural forms but none for other numbers.
    init(file: String, bytes: [UInt8]) throws(SiteError) {
        self.file = file
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .template(file: file, line: 1, message: "this is not UTF-8 text")
        }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        for (index, line) in lines.enumerated() { try read(line.trimmed, at: index + 1) }
        let lacking = entries.filter { $1.text == nil && $1.forms[.other] == nil }
        if let (name, entry) = lacking.min(by: { $0.value.line < $1.value.line }) {
            throw .template(file: file, line: entry.line, message: "\"\(name)\" has no form for [other]")
        }
    }

    private mutating func read(_ line: String, at number: Int) throws(SiteError) {
        guard !line.isEmpty, !line.hasPrefix("#") else { return }
        func error(_ message: String) -> SiteError { .template(file: file, line: number, message: message) }
        guard let equals = line.firstIndex(of: "=") else { throw error("expected a name, an equals sign and a text") }
        var name = line[..<equals].trimmed
        let text = line[line.index(after: equals)...].trimmed
        var category: PluralCategory?
        if let bracket = name.firstIndex(of: "["), name.hasSuffix("]") {
            let form = String(name[name.index(after: bracket)...].dropLast())
            category = PluralCategory(rawValue: form)
            guard category != nil else {
                let known = PluralCategory.allCases.map(\.rawValue).joined(separator: ", ")
                throw error("\"\(form)\" is not a plural form; the forms are: \(known)")
            }
            name = String(name[..<bracket])
        }
        guard !name.isEmpty, name.utf8.allSatisfy({ SitePath.isPlain(Character(Unicode.Scalar($0))) || $0 == 46 })
        else {
            throw error("a name consists of letters, digits, dots, - and _")
        }
        guard !text.isEmpty else { throw error("\"\(name)\" has no text") }
        guard !text.unicodeScalars.contains(where: { $0 < " " && $0 != "\t" }) else {
            throw error("control characters are not allowed here")
        }
        var entry = entries[name] ?? Entry(line: number)
        let isTaken = category.map { entry.forms[$0] != nil || entry.text != nil } ?? (entries[name] != nil)
        guard !isTaken else { throw error("\"\(name)\" is defined twice; first in line \(entry.line)") }
        if let category {
            entry.forms[category] = text
        } else {
            entry.text = text
        }
        entries[name] = entry
    }
}

extension StringProtocol {
    /// The text without blanks and tabs at both ends and without a byte order mark at the start.
    fileprivate var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !Self.isBlank($0) }),
            let last = scalars.lastIndex(where: { !Self.isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\u{FEFF}"
    }
}

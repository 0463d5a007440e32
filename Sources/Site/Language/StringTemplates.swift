internal import PhotoModel

/// The texts of the pages as partials: `{{>words.next}}`. A text can therefore use all names that are in scope where it
/// is included, and is checked in the same way as a template.
struct StringTemplates {
    static let prefix = "words."

    let strings: PageStrings
    let plural: PluralRule

    /// The template for a text.
    /// - Returns: nil for a name without a text.
    /// - Throws: `SiteError.template` for a malformed text.
    func template(named name: String) throws(SiteError) -> (text: String, file: String, line: Int)? {
        guard let key = name.removing(prefix: Self.prefix), let (entry, file) = strings.entry(key) else { return nil }
        let text: String
        if key.hasPrefix("script.") {
            text = Self.scriptTemplate(entry)
        } else if let plain = entry.text {
            text = try Self.template(plain, entry, file)
        } else {
            text = try pluralTemplate(entry, file)
        }
        return (text, file, entry.line)
    }

    /// A template with a section for each plural form. In every language, a form for zero is used for the number 0.
    private func pluralTemplate(_ entry: StringsFile.Entry, _ file: String) throws(SiteError) -> String {
        var text = ""
        for category in plural.categories where category != .zero {
            let form = try Self.template(entry.forms[category] ?? entry.plain, entry, file)
            text += "{{#\(Self.flag(category))}}\(form){{/\(Self.flag(category))}}"
        }
        guard let zero = entry.forms[.zero] else {
            let rest = plural.categories.contains(.zero) ? try Self.template(entry.plain, entry, file) : ""
            return rest.isEmpty ? text : text + "{{#isZero}}\(rest){{/isZero}}"
        }
        return "{{#isZero}}\(try Self.template(zero, entry, file)){{/isZero}}{{^isZero}}\(text){{/isZero}}"
    }

    static func flag(_ category: PluralCategory) -> String {
        "is" + category.rawValue.prefix(1).uppercased() + category.rawValue.dropFirst()
    }

    /// Scripts replace the placeholders themselves. They get a text with plural forms as a JSON object of all its
    /// forms.
    private static func scriptTemplate(_ entry: StringsFile.Entry) -> String {
        if let text = entry.text { return escaped(text) }
        let forms = PluralCategory.allCases.compactMap { category in
            entry.forms[category].map { (key: category.rawValue, value: JSON.text($0)) }
        }
        var json: [UInt8] = []
        JSON.object(forms).write(to: &json)
        return escaped(String(decoding: json, as: UTF8.self))
    }

    private static func template(
        _ text: String, _ entry: StringsFile.Entry, _ file: String
    ) throws(SiteError) -> String {
        try PageStrings.pattern(text, at: entry.line, of: file).pieces.map { piece in
            switch piece {
            case .text(let text): escaped(text)
            case .placeholder(let name): "{{\(name)}}"
            }
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        EscapedText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

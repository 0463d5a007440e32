internal import PhotoModel

/// The sentences about failures in the language of the pages.
struct ReasonStrings: Sendable {
    private let patterns: [ReasonSentence: TextPattern]
    private let strings: PageStrings
    private let decimal: String
    private let isRightToLeft: Bool

    /// - Throws: `SiteError.template` for a sentence that is missing or malformed.
    init(strings: PageStrings) throws(SiteError) {
        self.strings = strings
        decimal = strings.text("number.decimal")
        isRightToLeft = strings.isRightToLeft
        var patterns: [ReasonSentence: TextPattern] = [:]
        for sentence in ReasonSentence.allCases where sentence != .verbatim {
            patterns[sentence] = try strings.pattern("reason.\(sentence.rawValue)")
        }
        self.patterns = patterns
    }

    func sentence(_ reason: Reason) -> String {
        guard let pattern = patterns[reason.sentence] else { return reason.message }
        var values = reason.arguments.mapValues { $0.text(decimal: decimal) { name, _ in strings.text(name) } }
        // In right-to-left text, directional isolates (U+2068, U+2069) keep an address or a number from being reordered
        // with the words around it.
        if isRightToLeft { values = values.mapValues { "\u{2068}\($0)\u{2069}" } }
        return pattern.filled(with: values)
    }
}

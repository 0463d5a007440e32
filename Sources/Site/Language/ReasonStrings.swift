internal import PhotoModel

/// The sentences about failures and of marks in the language of the pages.
struct ReasonStrings: Sendable {
    private let patterns: [ReasonSentence: TextPattern]
    private let marks: [MarkSentence: TextPattern]
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
        var marks: [MarkSentence: TextPattern] = [:]
        for sentence in MarkSentence.allCases where sentence != .verbatim {
            marks[sentence] = try strings.pattern("mark.\(sentence.rawValue)")
        }
        self.marks = marks
    }

    func sentence(_ reason: Reason) -> String {
        patterns[reason.sentence].map { filled($0, reason.arguments) } ?? reason.message
    }

    func sentence(_ mark: PhotoMark) -> String {
        marks[mark.sentence].map { filled($0, mark.arguments) } ?? mark.message
    }

    private func filled(_ pattern: TextPattern, _ arguments: [String: ReasonArgument]) -> String {
        var values = arguments.mapValues { $0.text(decimal: decimal) { name, _ in strings.text(name) } }
        // In right-to-left text, directional isolates (U+2068, U+2069) keep an address or a number from being reordered
        // with the words around it.
        if isRightToLeft { values = values.mapValues { "\u{2068}\($0)\u{2069}" } }
        return pattern.filled(with: values)
    }
}

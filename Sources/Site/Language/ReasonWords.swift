internal import PhotoModel

/// The sentences about failures in the language of the pages.
struct ReasonWords: Sendable {
    private let patterns: [ReasonSentence: TextPattern]
    private let words: PageWords
    private let isRightToLeft: Bool

    /// - Throws: `SiteError.template` for a sentence that is missing or not well formed.
    init(words: PageWords) throws(SiteError) {
        self.words = words
        isRightToLeft = words.isRightToLeft
        var patterns: [ReasonSentence: TextPattern] = [:]
        for sentence in ReasonSentence.allCases where sentence != .verbatim {
            patterns[sentence] = try words.pattern("reason.\(sentence.rawValue)")
        }
        self.patterns = patterns
    }

    func sentence(_ reason: Reason) -> String {
        guard let pattern = patterns[reason.sentence] else { return reason.message }
        var values = reason.arguments
        if let phrase = values["phrase"] { values["phrase"] = translated(phrase) }
        // In text from right to left an address or a number must not change places with the words around it.
        if isRightToLeft { values = values.mapValues { "\u{2068}\($0)\u{2069}" } }
        return pattern.filled(with: values)
    }

    /// Translates an argument that is one of few: "a web page". The phrases that have no name in the files of texts,
    /// such as the messages of decoders, stay in English.
    private func translated(_ phrase: String) -> String {
        let parts = phrase.lowercased().split { !SitePath.isPlain($0) || $0 == "-" }
        return words.entry("phrase." + parts.joined(separator: "-"))?.entry.plain ?? phrase
    }
}

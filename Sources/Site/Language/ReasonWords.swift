internal import PhotoModel

/// Why a photo failed, in the language of the pages. A reason is remembered as its English sentence; the values in it
/// are found by the English pattern of its code, and put into the one of the language.
struct ReasonWords: Sendable {
    private struct Pair: Sendable {
        let english: WordPattern
        let own: WordPattern
    }

    /// Of the names of sentences, after the code.
    private static let endings = [
        "", "-to-decode", "-for-system", "-a-side", "-of-proxy", "-by-proxy", "-refused-by-proxy", "-of-machine",
        "-after-public",
    ]

    /// Of a code, one for each sentence that it comes with.
    private let pairs: [ReasonCode: [Pair]]
    private let words: PageWords
    private let isRightToLeft: Bool

    /// - Throws: `SiteError.template` for a sentence that is not well formed.
    init(words: PageWords, english: StringsFile) throws(SiteError) {
        self.words = words
        isRightToLeft = words.isRightToLeft
        var pairs: [ReasonCode: [Pair]] = [:]
        for code in ReasonCode.allCases {
            for ending in Self.endings {
                let name = "reason.\(code.rawValue)\(ending)"
                guard let text = english.entries[name]?.plain, let pattern = WordPattern(text) else { continue }
                pairs[code, default: []].append(Pair(english: pattern, own: try words.pattern(name)))
            }
        }
        self.pairs = pairs
    }

    /// The sentence as it is where the English pattern does not fit, as in a ledger that an older program wrote.
    func sentence(_ reason: Reason) -> String {
        for pair in pairs[reason.code] ?? [] {
            guard var values = pair.english.values(in: reason.message) else { continue }
            if let phrase = values["phrase"] { values["phrase"] = translated(phrase) }
            // In text from right to left an address or a number must not change places with the words around it.
            if isRightToLeft { values = values.mapValues { "\u{2068}\($0)\u{2069}" } }
            return pair.own.filled(with: values)
        }
        return reason.message
    }

    /// A part of a sentence that is one of few: "a web page". Others, such as what a decoder says, stay as they are.
    private func translated(_ phrase: String) -> String {
        let parts = phrase.lowercased().split { !SitePath.isPlain($0) || $0 == "-" }
        return words.entry("phrase." + parts.joined(separator: "-"))?.entry.plain ?? phrase
    }
}

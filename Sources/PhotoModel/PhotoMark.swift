/// Why a picture that is shown needs somebody's attention. The raw values are part of status.json and of the ledger.
package enum MarkCode: String, Codable, CaseIterable, Sendable {
    /// The bytes have not changed for longer than expected.
    case frozen
    /// The address has other bytes than the list pins.
    case changed
    /// The address suddenly has something that is probably not the picture. The earlier picture stays until somebody
    /// accepts the new one.
    case suspicious
    /// The source is gone, and the picture comes from an archive.
    case archived
}

/// A mark of a photo: its code, since when, and the sentence with its values. The text is only produced when it is
/// shown: in English by `message`, and in the language of a page by the module Site.
package struct PhotoMark: Hashable, Codable, Sendable {
    package let code: MarkCode
    /// The time since which the photo has the mark. A frozen photo has it since its bytes last changed.
    package let since: Timestamp
    package let sentence: MarkSentence
    /// The values of the sentence, by the names of its placeholders.
    package let arguments: [String: ReasonArgument]
    /// The digest of the original that is not shown because of this mark; nil if there is none, or if it is unknown.
    package let withheld: Digest?

    package init(
        _ code: MarkCode, since: Timestamp, _ sentence: MarkSentence, _ arguments: [String: ReasonArgument] = [:],
        withheld: Digest? = nil
    ) {
        self.code = code
        self.since = since
        self.sentence = sentence
        self.arguments = arguments
        self.withheld = withheld
    }

    /// Parses a sentence that was stored without its values, in status.json, which is read if the ledger is lost.
    package init(_ code: MarkCode, since: Timestamp, message: String) {
        for sentence in MarkSentence.allCases where sentence.code == code {
            guard let values = sentence.english.values(in: message) else { continue }
            self.init(code, since: since, sentence, values.mapValues(ReasonArgument.init(shown:)))
            return
        }
        self.init(code, since: since, .verbatim, ["text": .text(message)])
    }

    /// The sentence in English.
    package var message: String { sentence.english.filled(with: arguments.mapValues(\.english)) }
}

extension PhotoMark {
    /// The mark of a photo whose bytes last changed at `since` although a change was expected within a number of
    /// seconds.
    package static func frozen(since: Timestamp, expectedWithin seconds: Int64) -> PhotoMark {
        PhotoMark(.frozen, since: since, .frozen, ["period": .period(seconds)])
    }

    /// The mark of a photo whose address has other bytes than the list pins.
    package static func changed(since: Timestamp, to original: Digest) -> PhotoMark {
        PhotoMark(.changed, since: since, .changed, ["sha256": .text(original.shortened)], withheld: original)
    }

    /// The mark of a photo whose address has a far smaller picture than before. Both sizes are in pixels.
    package static func suspicious(
        since: Timestamp, _ original: Digest, size: (width: Int, height: Int), earlier: (width: Int, height: Int)
    ) -> PhotoMark {
        PhotoMark(
            .suspicious, since: since, .suspiciousSmaller,
            [
                "width": .number(size.width), "height": .number(size.height), "old-width": .number(earlier.width),
                "old-height": .number(earlier.height),
            ], withheld: original)
    }

    /// The mark of a photo whose picture is a copy of an archive, made on a day such as "2019-05-03".
    package static func archived(since: Timestamp, copyOf day: String) -> PhotoMark {
        PhotoMark(.archived, since: since, .archived, ["date": .text(day)])
    }

    /// The mark of a photo whose address has the same bytes as several others.
    package static func suspicious(since: Timestamp, sameAsOthers original: Digest) -> PhotoMark {
        PhotoMark(.suspicious, since: since, .suspiciousSame, withheld: original)
    }

    /// The time at which the mark became true: for a frozen photo, when the change was due.
    package var began: Timestamp {
        guard code == .frozen, case .period(let seconds) = arguments["period"] else { return since }
        // The record of a shared store can have any number.
        let (due, isTooFar) = since.seconds.addingReportingOverflow(seconds)
        return Timestamp(seconds: isTooFar ? .max : due)
    }
}

extension Digest {
    /// The beginning of the digest, for sentences.
    fileprivate var shortened: String { prefix(12) + "…" }
}

extension [PhotoMark] {
    package subscript(code: MarkCode) -> PhotoMark? { first { $0.code == code } }
}

/// The sentences of marks. Their raw values are their names in the ledger and, after "mark.", in `Templates/strings`.
/// Each name begins with the code of its mark.
package enum MarkSentence: String, Codable, CaseIterable, Sendable {
    case frozen
    case changed
    case suspiciousSmaller = "suspicious-smaller"
    case suspiciousSame = "suspicious-same"
    case archived
    /// A sentence whose values are unknown, as it was read. It has no name in `Templates/strings`.
    case verbatim

    /// The code that the sentence belongs to; nil for `verbatim`, which is used with any code.
    package var code: MarkCode? {
        MarkCode.allCases.first { rawValue == $0.rawValue || rawValue.hasPrefix($0.rawValue + "-") }
    }

    /// The sentence in English, for `status.json` and the console.
    package var english: TextPattern { Self.patterns[self] ?? .empty }

    private static let patterns = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { sentence in
            TextPattern(sentence.englishText).map { (sentence, $0) }
        })

    private var englishText: String {
        switch self {
        case .frozen: "The picture was expected to change within {period}, but is still the same."
        case .changed:
            "The source has other bytes (SHA-256 {sha256}) than the list pins. The pinned picture stays."
        case .suspiciousSmaller:
            "The source has a far smaller picture now ({width} × {height} instead of {old-width} × {old-height} "
                + "pixels). The earlier one stays until the new one is accepted."
        case .suspiciousSame:
            "Several sources have this same picture now. The earlier one stays until the new one is accepted."
        case .archived: "The source is gone. The picture is a copy of {date} from the Internet Archive."
        case .verbatim: "{text}"
        }
    }
}

internal import Foundation
internal import PhotoModel

/// A reason in two columns: its code, and after it a JSON object with the name of its sentence and the sentence's
/// values: `{"too-large":{"size":{"bytes":20000000}}}`. Reasons that many photos share are decoded once and held once.
struct ReasonColumn {
    private var known: [String: Reason] = [:]
    private let decoder = JSONDecoder()

    private static let mostKnown = 4_096

    /// - Parameter index: of the code.
    /// - Returns: nil where there is none, or one that only a newer program knows.
    mutating func reason(_ row: SQLiteRow, _ index: Int) throws -> Reason? {
        guard let code = try row.optionalText(index), let text = try row.optionalText(index + 1) else { return nil }
        let key = code + text
        if let reason = known[key] { return reason }
        guard let code = ReasonCode(rawValue: code), let reason = reason(code, text) else { return nil }
        if known.count < Self.mostKnown { known[key] = reason }
        return reason
    }

    private func reason(_ code: ReasonCode, _ text: String) -> Reason? {
        // A text that is no such JSON was not written by this version: the photo is done again.
        guard let object = try? decoder.decode([String: [String: ReasonArgument]].self, from: Data(text.utf8)),
            object.count == 1, let (name, arguments) = object.first, let sentence = ReasonSentence(rawValue: name)
        else { return nil }
        return Reason(code, sentence, arguments)
    }

    static func text(_ reason: Reason) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode([reason.sentence.rawValue: reason.arguments])
        return String(decoding: json, as: UTF8.self)
    }
}

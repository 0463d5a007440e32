internal import Foundation
internal import PhotoModel

/// A reason in two columns: its code, and a JSON object with the name of its sentence and the values in the sentence,
/// such as `{"too-large":{"size":{"bytes":20000000}}}`.
enum ReasonColumn {
    /// - Returns: nil for a reason that only a newer version knows.
    static func reason(code: String, _ text: String?) -> Reason? {
        // Any other text was not written by this version, so the photo is done again.
        guard let code = ReasonCode(rawValue: code), let text, let (name, arguments) = parts(of: text),
            let sentence = ReasonSentence(rawValue: name)
        else { return nil }
        return Reason(code, sentence, arguments)
    }

    /// The name of a sentence and its values; nil for any text that `text` did not write.
    static func parts(of text: String) -> (name: String, arguments: [String: ReasonArgument])? {
        // A text that `text` did not write can fail to decode in many ways, and all of them mean the same.
        guard let object = try? JSONDecoder().decode([String: [String: ReasonArgument]].self, from: Data(text.utf8)),
            object.count == 1, let (name, arguments) = object.first
        else { return nil }
        return (name, arguments)
    }

    static func text(_ reason: Reason) throws -> String { try text(reason.sentence.rawValue, reason.arguments) }

    static func text(_ name: String, _ arguments: [String: ReasonArgument]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode([name: arguments])
        return String(decoding: json, as: UTF8.self)
    }
}

internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reads the texts that hold what has columns, or rows, since version 11.
enum OlderTexts {
    /// Four numbers; JSON in version 3.
    static func stamp(_ text: String?) -> FileStamp? {
        guard let text else { return nil }
        let numbers = text.split(separator: " ").map { Int64($0) }
        if numbers.count == 4, let size = numbers[0], let modified = numbers[1], let changed = numbers[2],
            let inode = numbers[3]
        {
            return FileStamp(
                size: size, modifiedNanoseconds: modified, changedNanoseconds: changed, inode: UInt64(bitPattern: inode)
            )
        }
        // Any other text was not written by a version that is known; the caller does without it.
        return try? JSONDecoder().decode(FileStamp.self, from: Data(text.utf8))
    }

    /// A line a picture: file name, width, height, bytes, "f" for filtered or "u" for unfiltered, and the colour if it
    /// is known; JSON in version 3.
    static func pictures(_ text: String) throws -> [PublishedPicture] {
        if text.first == "[" { return try JSONDecoder().decode([PublishedPicture].self, from: Data(text.utf8)) }
        return try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            guard (5...6).contains(words.count), let width = Int(words[1]), let height = Int(words[2]),
                let bytes = Int64(words[3])
            else { throw DatabaseError.damaged("a row holds a text that is no list of pictures") }
            return PublishedPicture(
                fileName: words[0], width: width, height: height, bytes: bytes, isUnfiltered: words[4] == "u",
                colour: words.count > 5 ? words[5] : nil)
        }
    }

    /// Facts of an original, as JSON.
    struct Facts: Decodable {
        let edition: Int?
        let format: String
        let width: Int
        let height: Int
        let hasTransparency: Bool
        let taken: String?
        let camera: String?
        let lens: String?
        let exposure: String?

        func row(of original: Digest) -> OriginalRow {
            OriginalRow(
                sha256: original, edition: edition, format: format, width: width, height: height,
                hasTransparency: hasTransparency,
                notes: CameraNotes(taken: taken, camera: camera, lens: lens, exposure: exposure))
        }
    }

    /// - Returns: nil for a text that no version wrote, or with facts that are no longer understood: the original has
    ///   them too.
    static func facts(_ json: String) -> Facts? { try? JSONDecoder().decode(Facts.self, from: Data(json.utf8)) }

    /// A reason as `ReasonColumn` has it; until version 9 it was an English sentence.
    static func reason(_ code: String?, _ sentence: String?) throws -> String? {
        // A code of a newer program has no reason here, and its photo is done again.
        guard let code = code.flatMap({ ReasonCode(rawValue: $0) }), let sentence else { return nil }
        return try ReasonColumn.text(Reason(code: code, message: sentence))
    }
}

internal import Foundation
internal import GRDB
internal import PhotoModel

/// Reads the texts in which older versions stored values that have had columns or rows of their own since version 11.
enum OlderTexts {
    /// Reads a stamp: four numbers, or JSON in version 3.
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
        // No known version wrote any other text. The caller continues without the stamp.
        return try? JSONDecoder().decode(FileStamp.self, from: Data(text.utf8))
    }

    /// Reads a list of pictures. Each line has a file name, width, height, bytes, "f" for filtered or "u" for
    /// unfiltered, and the colour if it is known. Version 3 wrote JSON.
    static func pictures(_ text: String) throws -> [PublishedPicture] {
        if text.first == "[" { return try JSONDecoder().decode([Picture].self, from: Data(text.utf8)).map(\.picture) }
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

    /// A picture in JSON.
    private struct Picture: Decodable {
        let fileName: String
        let width: Int
        let height: Int
        let bytes: Int64
        let isUnfiltered: Bool
        let colour: String?

        var picture: PublishedPicture {
            PublishedPicture(
                fileName: fileName, width: width, height: height, bytes: bytes, isUnfiltered: isUnfiltered,
                colour: colour)
        }
    }

    /// The facts of an original in JSON.
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
                capture: CaptureFields(taken: taken, camera: camera, lens: lens, exposure: exposure))
        }
    }

    /// Reads the facts of an original.
    /// - Returns: nil for a text that no version wrote, or for facts that are no longer understood. The original has
    ///   the facts, too.
    static func facts(_ json: String) -> Facts? { try? JSONDecoder().decode(Facts.self, from: Data(json.utf8)) }

    /// Reads a reason and returns it as `ReasonColumn` writes it. Until version 9 it was an English sentence.
    static func reason(_ code: String?, _ sentence: String?) throws -> String? {
        // A code of a newer version has no reason here, so its photo is done again.
        guard let code = code.flatMap({ ReasonCode(rawValue: $0) }), let sentence else { return nil }
        return try ReasonColumn.text(Reason(code: code, message: sentence))
    }
}

/// The picture files of one photo as the ledger keeps them: one compact text, so that the rows of a large gallery are
/// read without making anything of pictures that nobody asks about.
///
/// A line a picture: file name, width, height, bytes, and "f" for filtered or "u" for unfiltered.
package struct PictureList: Hashable, Sendable {
    let text: String

    /// - Returns: nil for a text that is no such list, which only a damaged ledger holds.
    init?(text: String) {
        guard Self.isWellFormed(text) else { return nil }
        self.text = text
    }

    package init(_ pictures: [PublishedPicture]) {
        text = pictures.map { picture in
            "\(picture.fileName) \(picture.width) \(picture.height) \(picture.bytes) \(picture.isUnfiltered ? "u" : "f")"
        }.joined(separator: "\n")
    }

    package var isEmpty: Bool { text.isEmpty }

    package var pictures: [PublishedPicture] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count == 5, let width = Int(fields[1]), let height = Int(fields[2]), let bytes = Int64(fields[3])
            else { return nil }
            return PublishedPicture(
                fileName: String(fields[0]), width: width, height: height, bytes: bytes, isUnfiltered: fields[4] == "u")
        }
    }

    /// The same as reading it, without making anything.
    private static func isWellFormed(_ text: String) -> Bool {
        text.isEmpty
            || text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).allSatisfy { line in
                var place = 0
                var length = 0
                for byte in line {
                    if byte == UInt8(ascii: " ") {
                        guard length > 0 else { return false }
                        place += 1
                        length = 0
                        continue
                    }
                    length += 1
                    switch place {
                    case 0: continue
                    case 1, 2, 3:
                        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), length <= 18 else { return false }
                    default:
                        guard byte == UInt8(ascii: "f") || byte == UInt8(ascii: "u") else { return false }
                    }
                }
                return place == 4 && length == 1
            }
    }
}

/// One picture file of a photo. Sizes in pixels and bytes.
package struct PublishedPicture: Hashable, Codable, Sendable {
    package let fileName: String
    package let width: Int
    package let height: Int
    package let bytes: Int64
    /// The unfiltered copy for the before/after view.
    package let isUnfiltered: Bool

    package init(fileName: String, width: Int, height: Int, bytes: Int64, isUnfiltered: Bool) {
        self.fileName = fileName
        self.width = width
        self.height = height
        self.bytes = bytes
        self.isUnfiltered = isUnfiltered
    }
}

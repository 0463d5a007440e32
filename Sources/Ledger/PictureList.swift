/// The picture files of one photo as the ledger keeps them: one compact text, so that the rows of a large gallery are
/// read without making anything of pictures that nobody asks about.
///
/// A line a picture: file name, width, height, bytes, "f" for filtered or "u" for unfiltered, and the colour if it is known.
package struct PictureList: Hashable, Sendable {
    let text: String

    /// - Returns: nil for a text that is no such list, which only a damaged ledger holds.
    init?(text: String) {
        guard Self.isWellFormed(text) else { return nil }
        self.text = text
    }

    package init(_ pictures: [PublishedPicture]) {
        text = pictures.map { picture in
            let facts = [picture.width.description, picture.height.description, picture.bytes.description]
            let kind = picture.isUnfiltered ? "u" : "f"
            return ([picture.fileName] + facts + [kind, picture.colour].compactMap { $0 }).joined(separator: " ")
        }.joined(separator: "\n")
    }

    package var isEmpty: Bool { text.isEmpty }

    package var pictures: [PublishedPicture] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count >= 5, let width = Int(fields[1]), let height = Int(fields[2]),
                let bytes = Int64(fields[3])
            else { return nil }
            return PublishedPicture(
                fileName: String(fields[0]), width: width, height: height, bytes: bytes, isUnfiltered: fields[4] == "u",
                colour: fields.count > 5 ? String(fields[5]) : nil)
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
                    case 0, 5: continue
                    case 1, 2, 3:
                        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), length <= 18 else { return false }
                    case 4:
                        guard length == 1, byte == UInt8(ascii: "f") || byte == UInt8(ascii: "u") else { return false }
                    default: return false
                    }
                }
                return (place == 4 || place == 5) && length > 0
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
    /// To be shown until the picture is there: "#rrggbb", or "transparent"; known of the narrowest one only.
    package let colour: String?

    package init(
        fileName: String, width: Int, height: Int, bytes: Int64, isUnfiltered: Bool, colour: String? = nil
    ) {
        self.fileName = fileName
        self.width = width
        self.height = height
        self.bytes = bytes
        self.isUnfiltered = isUnfiltered
        self.colour = colour
    }
}

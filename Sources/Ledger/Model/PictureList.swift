/// The picture files of one photo as the ledger keeps them: one compact text, so that the rows of a large gallery are
/// read without making anything of pictures that nobody asks about.
///
/// A line a picture: file name, width, height, bytes, "f" for filtered or "u" for unfiltered, and the colour if it is
/// known.
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
        var pictures: [PublishedPicture] = []
        forEachLine { fields in
            guard fields.count >= 5 else { return }
            pictures.append(
                PublishedPicture(
                    fileName: String(decoding: fields[0], as: UTF8.self), width: Int(Self.number(fields[1])),
                    height: Int(Self.number(fields[2])), bytes: Self.number(fields[3]),
                    isUnfiltered: fields[4].first == UInt8(ascii: "u"),
                    colour: fields.count > 5 ? String(decoding: fields[5], as: UTF8.self) : nil))
        }
        return pictures
    }

    /// The file names of the published pictures.
    package var fileNames: [String] {
        var names: [String] = []
        forEachFileName { names.append(String(decoding: $0, as: UTF8.self)) }
        return names
    }

    /// Calls `read` with the UTF-8 of each file name, valid until `read` returns: by hand, so that nothing is made of
    /// the rest of a line.
    package func forEachFileName(_ read: (UnsafeRawBufferPointer) -> Void) {
        guard !isEmpty else { return }
        var text = text
        // Safe: the bytes are used while the text lends them.
        text.withUTF8 { bytes in
            var start = 0
            while start < bytes.count {
                let line = bytes[start...]
                // Each line has one: see `isWellFormed`.
                let end = line.firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
                read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<end]))
                start = line[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            }
        }
    }

    /// Calls `read` with the fields of each line: by hand, as a build reads the lists of all photos several times.
    private func forEachLine(_ read: ([Slice<UnsafeBufferPointer<UInt8>>]) -> Void) {
        guard !isEmpty else { return }
        var text = text
        // Safe: the bytes are used while the text lends them.
        text.withUTF8 { bytes in
            var fields: [Slice<UnsafeBufferPointer<UInt8>>] = []
            fields.reserveCapacity(6)
            var start = 0
            for index in 0...bytes.count {
                let mark = index < bytes.count ? bytes[index] : UInt8(ascii: "\n")
                guard mark == UInt8(ascii: " ") || mark == UInt8(ascii: "\n") else { continue }
                fields.append(bytes[start..<index])
                start = index + 1
                guard mark == UInt8(ascii: "\n") else { continue }
                read(fields)
                fields.removeAll(keepingCapacity: true)
            }
        }
    }

    /// The value of decimal digits, which are no more than an integer holds: see `isWellFormed`.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64 {
        digits.reduce(0) { $0 &* 10 &+ Int64($1 &- 48) }
    }

    /// The same as reading it, without making anything.
    private static func isWellFormed(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        var text = text
        // Safe: the bytes are used while the text lends them.
        return text.withUTF8 { bytes in
            var (place, length) = (0, 0)
            for index in 0...bytes.count {
                let byte = index < bytes.count ? bytes[index] : UInt8(ascii: "\n")
                switch (byte, place) {
                case (UInt8(ascii: "\n"), _):
                    guard place == 4 || place == 5, length > 0 else { return false }
                    (place, length) = (0, 0)
                    continue
                case (UInt8(ascii: " "), _):
                    guard length > 0 else { return false }
                    (place, length) = (place + 1, 0)
                    continue
                case (_, 0), (_, 5): break
                case (_, 1...3):
                    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), length < 18 else { return false }
                case (_, 4):
                    guard length == 0, byte == UInt8(ascii: "f") || byte == UInt8(ascii: "u") else { return false }
                default: return false
                }
                length += 1
            }
            return true
        }
    }
}

/// A picture file of a photo. Sizes are in pixels and bytes.
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

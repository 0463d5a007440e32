internal import GRDB
package import PhotoModel

/// A picture file of a photo, with its size in pixels and in bytes.
package struct PublishedPicture: Hashable, Codable, Sendable {
    /// The content of a picture file.
    package enum Content: Hashable, Sendable {
        /// The current original, with the filter.
        case filtered
        /// The current original without the filter, for the before/after view.
        case unfiltered
        /// An earlier original, with the filter. The payload is indirect, because most photos have no such picture.
        indirect case version(Digest)
    }

    package let fileName: String
    package let width: Int
    package let height: Int
    package let bytes: Int64
    package let content: Content
    /// The colour to show until the picture is loaded: "#rrggbb" or "transparent". Only the narrowest picture of a
    /// photo has one.
    package let colour: String?

    package init(
        fileName: String, width: Int, height: Int, bytes: Int64, content: Content, colour: String? = nil
    ) {
        self.fileName = fileName
        self.width = width
        self.height = height
        self.bytes = bytes
        self.content = content
        self.colour = colour
    }

    package init(
        fileName: String, width: Int, height: Int, bytes: Int64, isUnfiltered: Bool, colour: String? = nil
    ) {
        self.init(
            fileName: fileName, width: width, height: height, bytes: bytes,
            content: isUnfiltered ? .unfiltered : .filtered, colour: colour)
    }

    package var isUnfiltered: Bool { content == .unfiltered }

    /// The digest of the earlier original that the picture shows; nil for a picture of the current one.
    package var version: Digest? {
        if case .version(let original) = content { original } else { nil }
    }
}

/// The content as one text: "filtered", "unfiltered", or the digest of the earlier original.
extension PublishedPicture.Content: Codable {
    private static let filteredText = "filtered"
    private static let unfilteredText = "unfiltered"

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        switch text {
        case Self.filteredText: self = .filtered
        case Self.unfilteredText: self = .unfiltered
        default:
            guard let original = Digest(hex: text) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no content of a picture"))
            }
            self = .version(original)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .filtered: try container.encode(Self.filteredText)
        case .unfiltered: try container.encode(Self.unfilteredText)
        case .version(let original): try container.encode(original)
        }
    }
}

struct PictureRecord: LedgerRecord {
    static let databaseTableName = "picture"
    static let scopeColumn: String? = "gallery"
    static let keyColumns = ["gallery", "photo", "position"]

    let scope: String
    /// The number of the photo's row.
    let photo: Int64
    /// The position of the picture among the photo's pictures.
    let position: Int
    let picture: PublishedPicture

    init(_ picture: PublishedPicture, gallery: String, photo: Int64, position: Int) {
        scope = gallery
        self.photo = photo
        self.position = position
        self.picture = picture
    }

    init(row: Row) throws {
        var columns = ColumnReader(row)
        scope = try columns.next()
        photo = try columns.next()
        position = try columns.next()
        let (fileName, width, height): (String, Int, Int) =
            (try columns.next(), try columns.next(), try columns.next())
        let (bytes, isUnfiltered): (Int64, Bool) = (try columns.next(), try columns.next())
        let (colour, version): (String?, Digest?) = (try columns.next(), try columns.next())
        picture = PublishedPicture(
            fileName: fileName, width: width, height: height, bytes: bytes,
            content: version.map { .version($0) } ?? (isUnfiltered ? .unfiltered : .filtered), colour: colour)
    }

    var key: StatementArguments { [scope, photo, position] }

    var covered: ColumnValues {
        [
            "photo": photo, "position": position, "file_name": picture.fileName, "width": picture.width,
            "height": picture.height, "bytes": picture.bytes, "unfiltered": picture.isUnfiltered,
            "colour": picture.colour, "version": picture.version,
        ]
    }
}

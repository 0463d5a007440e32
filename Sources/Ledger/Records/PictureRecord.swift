internal import GRDB

/// A picture file of a photo, with its size in pixels and in bytes.
package struct PublishedPicture: Hashable, Codable, Sendable {
    package let fileName: String
    package let width: Int
    package let height: Int
    package let bytes: Int64
    /// Whether the file is the unfiltered picture for the before/after view.
    package let isUnfiltered: Bool
    /// The colour to show until the picture is loaded: "#rrggbb" or "transparent". Only the narrowest picture of a
    /// photo has one.
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
        picture = PublishedPicture(
            fileName: try columns.next(), width: try columns.next(), height: try columns.next(),
            bytes: try columns.next(), isUnfiltered: try columns.next(), colour: try columns.next())
    }

    var key: StatementArguments { [scope, photo, position] }

    var covered: ColumnValues {
        [
            "photo": photo, "position": position, "file_name": picture.fileName, "width": picture.width,
            "height": picture.height, "bytes": picture.bytes, "unfiltered": picture.isUnfiltered,
            "colour": picture.colour,
        ]
    }
}

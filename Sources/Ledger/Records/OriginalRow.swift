internal import GRDB
package import PhotoModel

/// The facts in the header of an original, so that its derivatives can be named without opening it.
package struct OriginalRow: Hashable, Codable, Sendable {
    package let sha256: Digest
    /// The edition of the facts, which changes whenever other facts are read from originals; nil for the first edition.
    package let edition: Int?
    /// The name of the format.
    package let format: String
    /// The width and height of the upright picture, in pixels.
    package let width: Int
    package let height: Int
    package let hasTransparency: Bool
    /// The notes of the camera; nil for most pictures, which have none.
    package let capture: Shared<CaptureFields>?

    package init(
        sha256: Digest, edition: Int?, format: String, width: Int, height: Int, hasTransparency: Bool,
        capture: CaptureFields = CaptureFields()
    ) {
        self.sha256 = sha256
        self.edition = edition
        self.format = format
        self.width = width
        self.height = height
        self.hasTransparency = hasTransparency
        self.capture = capture == CaptureFields() ? nil : Shared(capture)
    }
}

/// A camera's notes on a picture, as texts for people.
package struct CaptureFields: Hashable, Codable, Sendable {
    package var taken: String?
    package var camera: String?
    package var lens: String?
    package var exposure: String?

    package init(taken: String? = nil, camera: String? = nil, lens: String? = nil, exposure: String? = nil) {
        self.taken = taken
        self.camera = camera
        self.lens = lens
        self.exposure = exposure
    }
}

/// The rows are in the order in which the originals were first recorded.
extension OriginalRow: LedgerRecord {
    static let databaseTableName = "original"
    static let keyColumns = ["sha256"]

    init(row: Row) throws {
        var columns = ColumnReader(row)
        self.init(
            sha256: try columns.next(), edition: try columns.next(), format: try columns.next(),
            width: try columns.next(), height: try columns.next(), hasTransparency: try columns.next(),
            capture: CaptureFields(
                taken: try columns.next(), camera: try columns.next(), lens: try columns.next(),
                exposure: try columns.next()))
    }

    var key: StatementArguments { [sha256] }

    var covered: ColumnValues {
        [
            "sha256": sha256, "edition": edition, "format": format, "width": width, "height": height,
            "has_transparency": hasTransparency, "taken": capture?.taken, "camera": capture?.camera,
            "lens": capture?.lens,
            "exposure": capture?.exposure,
        ]
    }
}

/// The facts of an original that the ledger stores, so that its derivatives are known without opening it.
package struct ImageMetadata: Hashable, Codable, Sendable {
    package let format: OriginalFormat
    /// Pixels, of the upright picture.
    package let width: Int
    package let height: Int
    /// Whether a pixel is not opaque. Until that is known it may be what the header makes probable.
    package var hasTransparency: Bool
    /// When the photo was taken, by the camera's clock: "2019-07-04T12:34:56", without a time zone.
    package let taken: String?
    /// Maker and model: "Canon EOS 5D".
    package let camera: String?
    package let lens: String?
    /// "1/250 s, f/8, ISO 100, 35 mm", as far as known.
    package let exposure: String?

    package init(
        format: OriginalFormat, width: Int, height: Int, hasTransparency: Bool,
        shot: CaptureMetadata = CaptureMetadata()
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.hasTransparency = hasTransparency
        taken = shot.taken
        camera = shot.camera
        lens = shot.lens
        exposure = shot.exposure
    }

    /// Raised when more, or something else, is read from an original: what was remembered before is then read again.
    package static let edition = 3
}

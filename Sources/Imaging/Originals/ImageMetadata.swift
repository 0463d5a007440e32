/// The metadata of an original that the ledger stores, so that its derivatives can be determined without opening it.
package struct ImageMetadata: Hashable, Codable, Sendable {
    package let format: OriginalFormat
    /// The width of the upright picture, in pixels.
    package let width: Int
    package let height: Int
    /// Whether a pixel is not opaque. Before the pixels are decoded, this is what the header makes likely.
    package var hasTransparency: Bool
    /// When the photo was taken, by the camera's clock: "2019-07-04T12:34:56", without a time zone.
    package let taken: String?
    /// The maker and model of the camera: "Canon EOS 5D".
    package let camera: String?
    package let lens: String?
    /// The exposure, as far as it is known: "1/250 s, f/8, ISO 100, 35 mm".
    package let exposure: String?

    package init(
        format: OriginalFormat, width: Int, height: Int, hasTransparency: Bool,
        capture: CaptureMetadata = CaptureMetadata()
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.hasTransparency = hasTransparency
        taken = capture.taken
        camera = capture.camera
        lens = capture.lens
        exposure = capture.exposure
    }

    /// The version of this metadata. It must be raised when more, or something else, is read from an original; facts of
    /// an older edition are then read again.
    package static let edition = 3
}

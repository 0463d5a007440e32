/// The parameters of WebP compression, chosen so that a WebP looks like the JPEG of the same picture.
enum WebPQuality {
    /// The effort of libwebp, 0 to 6.
    static let method: Int32 = 4

    /// Pairs of a JPEG quality and the WebP quality that gives the same structural similarity to the uncompressed
    /// picture.
    private static let measured: [(jpeg: Int, webp: Int)] = [
        (1, 1), (10, 5), (20, 22), (30, 38), (45, 57), (60, 72), (75, 81), (82, 85), (90, 91), (95, 96), (100, 100),
    ]

    /// - Parameter jpeg: the JPEG quality, 1 to 100.
    /// - Returns: the WebP quality, 1 to 100, interpolated linearly between the measured ones.
    static func equal(toJPEG jpeg: Int) -> Float {
        let above = measured.first { $0.jpeg >= jpeg } ?? (100, 100)
        let below = measured.last { $0.jpeg <= jpeg } ?? (1, 1)
        guard above.jpeg > below.jpeg else { return Float(above.webp) }
        let (step, rise) = (above.jpeg - below.jpeg, above.webp - below.webp)
        // The result is an integer, which is the same on any machine.
        return Float(below.webp + (2 * rise * (jpeg - below.jpeg) + step) / (2 * step))
    }
}

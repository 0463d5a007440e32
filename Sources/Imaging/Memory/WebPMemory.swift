internal import CImageCodecs

/// The memory that libwebp needs to compress a picture, in bytes: more than was measured with noise, its worst case.
package enum WebPMemory {
    /// The most pixels of a picture. Of each block of 16 by 16 pixels, up to 6.8 bits were measured in the first
    /// partition of a file, which holds 512 KB. This limit leaves 8 bits for each.
    static let maxPixels = 128_000_000
    /// The most pixels of a picture with transparency. Lossless transparency takes forty bytes a pixel, whatever the
    /// size, so a larger picture would take more memory than any original.
    static let maxPixelsWithTransparency = 16_000_000

    /// The memory that is held from the first row on.
    package static func picture(width: Int, height: Int, hasTransparency: Bool) -> Int {
        let strips = 32 * width * 8
        return blocks(width, height) * (hasTransparency ? 5 : 3) / 2 + strips
    }

    /// The memory that is held in addition while the picture is compressed.
    package static func workspace(width: Int, height: Int, hasTransparency: Bool) -> Int {
        let pixels = blocks(width, height)
        let colours = width * height <= CODEC_WEBP_MOST_PIXELS_IN_TOKENS ? 30 * pixels : 6 * pixels
        return 1 << 20 + max(colours, hasTransparency ? 42 * pixels : 0)
    }

    /// The number of pixels in the blocks of 16 × 16 that cover the picture.
    private static func blocks(_ width: Int, _ height: Int) -> Int {
        (width + 15) / 16 * 16 * ((height + 15) / 16 * 16)
    }
}

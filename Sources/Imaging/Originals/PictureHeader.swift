/// What a file says of its picture before any pixel is decoded.
package struct PictureHeader: Hashable, Sendable {
    package let format: PictureFormat
    /// Pixels, as stored.
    package let storedWidth: Int
    package let storedHeight: Int
    package let orientation: Orientation
    /// An alpha channel or a tRNS chunk, whether or not a pixel makes use of it.
    package let hasTransparency: Bool
    /// Progressive or interlaced: the decoder has to hold the whole picture.
    package let arrivesInPasses: Bool
    /// Bytes that the decoder holds of such a picture, which no reduction makes fewer; 0 for others.
    package let heldByDecoder: Int

    /// Pixels, of the upright picture.
    package var width: Int { orientation.transposes ? storedHeight : storedWidth }
    package var height: Int { orientation.transposes ? storedWidth : storedHeight }

    package var facts: PictureFacts {
        PictureFacts(format: format, width: width, height: height, hasTransparency: hasTransparency)
    }
}

/// What is remembered of an original, so that its derivatives are known without opening it.
package struct PictureFacts: Hashable, Codable, Sendable {
    package let format: PictureFormat
    /// Pixels, of the upright picture.
    package let width: Int
    package let height: Int
    package let hasTransparency: Bool

    package init(format: PictureFormat, width: Int, height: Int, hasTransparency: Bool) {
        self.format = format
        self.width = width
        self.height = height
        self.hasTransparency = hasTransparency
    }
}

/// What a file says of its picture before any pixel is decoded.
package struct PictureHeader: Hashable, Sendable {
    package let format: OriginalFormat
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
    /// What the camera noted; nothing where it did not.
    package var shot = ShotFacts()

    /// Pixels, of the upright picture.
    package var width: Int { orientation.transposes ? storedHeight : storedWidth }
    package var height: Int { orientation.transposes ? storedWidth : storedHeight }

    package var facts: PictureFacts {
        PictureFacts(format: format, width: width, height: height, hasTransparency: hasTransparency, shot: shot)
    }
}

/// Facts from the header of a picture, before any pixel is decoded.
package struct PictureHeader: Hashable, Sendable {
    package let format: OriginalFormat
    /// Pixels, as stored.
    package let storedWidth: Int
    package let storedHeight: Int
    package let orientation: Orientation
    /// An alpha channel or a tRNS chunk, whether or not a pixel makes use of it.
    package private(set) var hasTransparency: Bool
    /// Progressive or interlaced: the decoder has to hold the whole picture.
    package let arrivesInPasses: Bool
    /// Bytes that the decoder holds of such a picture, which no reduction makes fewer; 0 for others.
    package let heldByDecoder: Int
    /// Bytes that decoding holds for each column of the rows that the decoder hands on: its own rows, and those of a
    /// batch.
    package let heldPerColumn: Int
    /// Bytes of the ICC profile; 0 where there is none.
    package var profileBytes = 0
    /// Bytes of metadata that the decoder holds.
    package var metadataBytes = 0
    /// Bytes that the decoder holds in addition for tables of the coding, whatever the size of the picture.
    package var heldInTables = 0
    /// The camera's metadata; empty if there is none.
    package var shot = CaptureMetadata()

    /// Pixels, of the upright picture.
    package var width: Int { orientation.transposes ? storedHeight : storedWidth }
    package var height: Int { orientation.transposes ? storedWidth : storedHeight }

    /// The same picture, if all its pixels are opaque.
    var opaque: PictureHeader {
        var header = self
        header.hasTransparency = false
        return header
    }

    /// The facts that are assumed before any pixel is decoded: an alpha channel is taken to be opaque, unless the
    /// picture is too large for JPEG.
    package var presumedFacts: ImageMetadata {
        max(storedWidth, storedHeight) <= PictureFormat.longestSideOfJPEG ? opaque.facts : facts
    }

    /// The facts as the header states them: a picture with an alpha channel has transparency.
    package var facts: ImageMetadata {
        ImageMetadata(format: format, width: width, height: height, hasTransparency: hasTransparency, shot: shot)
    }
}

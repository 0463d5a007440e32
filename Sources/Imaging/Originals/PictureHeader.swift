/// The facts that the header of a picture has, before any pixel is decoded.
package struct PictureHeader: Hashable, Sendable {
    package let format: OriginalFormat
    /// The stored width, in pixels.
    package let storedWidth: Int
    package let storedHeight: Int
    package let orientation: Orientation
    /// Whether the picture has an alpha channel or a tRNS chunk, even if all pixels are opaque.
    package private(set) var hasTransparency: Bool
    /// Whether the decoder must hold the whole picture, as with progressive JPEG, interlaced PNG and GIF, and WebP.
    package let arrivesInPasses: Bool
    /// The memory, in bytes, in which the decoder holds the whole picture, whatever the picture is reduced to; 0 if the
    /// decoder does not hold it.
    package let decoderBytes: Int
    /// The memory, in bytes, that decoding takes for each column of the rows that the decoder delivers: for the
    /// decoder's own rows, and for those of a batch.
    package let decoderBytesPerColumn: Int
    /// The size of the ICC profile in bytes; 0 if there is none.
    package var profileBytes = 0
    /// The size of the metadata that the decoder holds, in bytes.
    package var metadataBytes = 0
    /// The memory, in bytes, that the decoder needs in addition for tables of the coding, whatever the size of the
    /// picture.
    package var tableBytes = 0
    /// The camera's metadata; empty if there is none.
    package var capture = CaptureMetadata()

    /// The width of the upright picture, in pixels.
    package var width: Int { orientation.transposes ? storedHeight : storedWidth }
    package var height: Int { orientation.transposes ? storedWidth : storedHeight }

    /// The header of the same picture if all its pixels are opaque.
    var opaque: PictureHeader {
        var header = self
        header.hasTransparency = false
        return header
    }

    /// The metadata that is assumed before any pixel is decoded. An alpha channel is assumed to be opaque, unless the
    /// picture is too large for JPEG.
    package var presumedMetadata: ImageMetadata {
        max(storedWidth, storedHeight) <= PictureFormat.longestSideOfJPEG ? opaque.metadata : metadata
    }

    /// The metadata as the header states it: a picture with an alpha channel has transparency.
    package var metadata: ImageMetadata {
        ImageMetadata(format: format, width: width, height: height, hasTransparency: hasTransparency, capture: capture)
    }
}

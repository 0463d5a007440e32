internal import CLibExif

/// The texts that people wrote into the EXIF data of a picture (EXIF 2.32 §4.6.4), and the time when it was taken.
package struct ExifDescription: Hashable, Sendable {
    package let caption: String?
    package let artist: String?
    package let copyright: String?
    /// The time when the picture was taken, by the camera's clock: "2019-07-04T12:34:56".
    package let taken: String?

    /// The longest caption or copyright notice, in characters.
    private static let longestCaption = 2_000

    /// - Parameter exif: a TIFF structure that follows "Exif\0\0", as in the APP1 segment of a JPEG.
    /// - Returns: nil if there are no data, or more than are read.
    package init?(exif: [UInt8]) {
        guard let block = exif.withUnsafeBufferPointer({ ExifBlock(exif: $0) }) else { return nil }
        caption = block.text(EXIF_TAG_IMAGE_DESCRIPTION, in: .ifd0, longest: Self.longestCaption)
        artist = block.text(EXIF_TAG_ARTIST, in: .ifd0)
        copyright = block.text(EXIF_TAG_COPYRIGHT, in: .ifd0, longest: Self.longestCaption)
        taken = CaptureMetadata(block).taken
    }
}

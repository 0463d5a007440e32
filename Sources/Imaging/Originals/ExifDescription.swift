internal import CLibExif

/// The texts in the EXIF data of a picture that people wrote (EXIF 2.32 §4.6.4), and when it was taken.
package struct ExifDescription: Hashable, Sendable {
    package let caption: String?
    package let artist: String?
    package let copyright: String?
    /// The time by the camera's clock: "2019-07-04T12:34:56".
    package let taken: String?

    /// Characters of a caption.
    private static let longestCaption = 2_000

    /// - Parameter exif: a TIFF structure with "Exif\0\0" in front, as in the APP1 segment of a JPEG.
    /// - Returns: nil where there is nothing that is read.
    package init?(exif: [UInt8]) {
        guard let block = exif.withUnsafeBufferPointer({ ExifBlock(exif: $0) }) else { return nil }
        caption = block.text(EXIF_TAG_IMAGE_DESCRIPTION, in: .ifd0, longest: Self.longestCaption)
        artist = block.text(EXIF_TAG_ARTIST, in: .ifd0)
        copyright = block.text(EXIF_TAG_COPYRIGHT, in: .ifd0, longest: Self.longestCaption)
        taken = CaptureMetadata(block).taken
    }
}

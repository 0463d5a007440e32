/// How a picture in a format that is not read is made one that is.
package enum PictureConversion {
    /// - Parameter format: as messages name it.
    /// - Returns: a sentence without its full stop; nil for a format that nothing common converts.
    package static func hint(for format: String) -> String? {
        switch format {
        case "HEIC":
            "convert it with heif-convert photo.heic photo.jpg (Debian: libheif-examples; macOS: sips -s format jpeg)"
        case "AVIF": "convert it with heif-convert photo.avif photo.jpg (Debian: libheif-examples)"
        case "TIFF", "BMP", "JPEG 2000": "convert it with ImageMagick: convert photo photo.jpg"
        case "JPEG XL": "convert it with djxl photo.jxl photo.jpg (Debian: libjxl-tools)"
        case "SVG": "convert it with rsvg-convert photo.svg -o photo.png (Debian: librsvg2-bin)"
        default: nil
        }
    }
}

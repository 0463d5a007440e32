/// How to convert a picture from a format that is not read.
package enum PictureConversion {
    /// - Parameter format: the name of the format in messages.
    /// - Returns: a sentence without its full stop; nil if no common program converts the format.
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

internal import CImageCodecs
internal import CLittleCMS

/// What, beside the original and the options, decides the bytes of a derivative.
package enum ImagingVersion {
    /// To be raised with every change of the pipeline that changes a pixel.
    static let pipeline = 3

    /// "imaging/3, libjpeg-turbo 2.1.5, libpng 1.6.39, zlib 1.2.13, lcms 2140": part of every recipe.
    private static let common = [
        "imaging/\(pipeline)", String(cString: codec_jpeg_library()), String(cString: codec_png_library()),
        "lcms \(cmsGetEncodedCMMversion())",
    ].joined(separator: ", ")

    /// The same with all that matters to originals of any format.
    package static let description = "\(common), \(webp)"

    private static var webp: String { "libwebp \(String(codec_webp_version(), radix: 16))" }

    /// The same with what matters only to originals of one format, or to files of one: the others are not made again when
    /// that changes.
    static func description(of original: OriginalFormat, as format: PictureFormat) -> String {
        original == .webp || format == .webp ? description : common
    }
}

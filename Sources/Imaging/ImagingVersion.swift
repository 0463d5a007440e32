internal import CImageCodecs
internal import CLittleCMS

/// The version of the pipeline and its libraries. Together with the original and the options, it decides the bytes of a
/// derivative.
package enum ImagingVersion {
    /// The version of the pipeline. It must be raised with every change that changes a pixel. Since version 5, the
    /// overshoot of the kernel is kept between two reductions, and JPEGs are shrunk less while they are decoded.
    private static let pipeline = 5

    /// The digest of the pattern for libjpeg-turbo 2.1.5. This version keeps the name that it had when recipes still
    /// named the version of the library's headers, so that no picture is rendered again.
    private static let knownDigest: UInt64 = 0x7863_CC14_C616_17F7

    private static let libjpeg: String = {
        let digest = codec_jpeg_digest()
        return digest == knownDigest ? "libjpeg-turbo 2.1.5" : "libjpeg \(String(digest, radix: 16))"
    }()

    /// The versions of the loaded libraries: "libjpeg-turbo 2.1.5, libpng 1.6.39, zlib 1.2.13, lcms 2140".
    private static let common = [
        libjpeg, "libpng \(String(cString: codec_libpng_version()))", "zlib \(String(cString: codec_zlib_version()))",
        "lcms \(cmsGetEncodedCMMversion())",
    ].joined(separator: ", ")

    private static let webp: String = {
        let (reader, writer) = (codec_webp_version(), codec_webp_writer_version())
        let read = "libwebp \(String(reader, radix: 16))"
        return reader == writer ? read : "\(read), written by \(String(writer, radix: 16))"
    }()

    /// The version for originals of any format. As long as it is the same, all recipes stay the same.
    package static let description = "imaging/\(pipeline), \(common), \(webp)"

    /// The versions of all loaded libraries: "libjpeg-turbo 2.1.5, libpng 1.6.39, zlib 1.2.13, lcms 2140, libwebp
    /// 10204".
    package static var libraries: String { "\(common), \(webp)" }

    /// The version for originals and files of one format each, so that files of other formats are not rendered again
    /// when a library changes.
    static func description(of original: OriginalFormat, as format: PictureFormat) -> String {
        let libraries = original == .webp || format == .webp ? "\(common), \(webp)" : common
        return "imaging/\(pipeline), \(libraries)"
    }
}

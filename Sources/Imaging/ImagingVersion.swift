internal import CImageCodecs
internal import CLittleCMS

/// The version of the pipeline and its libraries, which decides the bytes of a derivative together with the original
/// and the options.
package enum ImagingVersion {
    /// To be raised with every change of the pipeline that changes a pixel, for the originals that it is about; with
    /// 4 the cICP chunks of PNGs came to be converted.
    private static func pipeline(_ original: OriginalFormat) -> Int { original == .png ? 4 : 3 }

    /// The digest of the pattern as libjpeg-turbo 2.1.5 encodes it. This version keeps the name that it had while
    /// recipes named the library's headers, so that no picture is rendered again.
    private static let knownDigest: UInt64 = 0x7863_CC14_C616_17F7

    private static let libjpeg: String = {
        let digest = codec_jpeg_digest()
        return digest == knownDigest ? "libjpeg-turbo 2.1.5" : "libjpeg \(String(digest, radix: 16))"
    }()

    /// "libjpeg-turbo 2.1.5, libpng 1.6.39, zlib 1.2.13, lcms 2140": those that are loaded.
    private static let common = [
        libjpeg, "libpng \(String(cString: codec_libpng_version()))", "zlib \(String(cString: codec_zlib_version()))",
        "lcms \(cmsGetEncodedCMMversion())",
    ].joined(separator: ", ")

    private static let webp: String = {
        let (reader, writer) = (codec_webp_version(), codec_webp_writer_version())
        let read = "libwebp \(String(reader, radix: 16))"
        return reader == writer ? read : "\(read), written by \(String(writer, radix: 16))"
    }()

    /// The version for originals of any format: where it is the same, so are all recipes.
    package static let description = "imaging/\(pipeline(.png)), \(common), \(webp)"

    /// "libjpeg-turbo 2.1.5, libpng 1.6.39, zlib 1.2.13, lcms 2140, libwebp 10204": those that are loaded.
    package static var libraries: String { "\(common), \(webp)" }

    /// The version for originals of one format and files of one format, so that the others are not rendered again when
    /// a library changes.
    static func description(of original: OriginalFormat, as format: PictureFormat) -> String {
        let libraries = original == .webp || format == .webp ? "\(common), \(webp)" : common
        return "imaging/\(pipeline(original)), \(libraries)"
    }
}

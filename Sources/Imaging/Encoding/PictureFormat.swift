internal import CImageCodecs

/// A format in which pictures are written.
package enum PictureFormat: String, Codable, Sendable {
    case jpeg
    case png
    case webp

    /// The most pixels that libjpeg writes in a row or a column (JPEG_MAX_DIMENSION).
    static let longestSideOfJPEG = 65500

    /// The most pixels that WebP holds in a row or a column (WEBP_MAX_DIMENSION).
    static let longestSideOfWebP = CODEC_WEBP_LONGEST_SIDE

    /// The extension of file names, without its dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        }
    }
}

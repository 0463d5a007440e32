internal import CImageCodecs

/// A format that is written.
package enum PictureFormat: String, Codable, Sendable {
    case jpeg
    case png
    case webp

    /// Pixels that libjpeg writes in a row or a column (JPEG_MAX_DIMENSION).
    static let longestSideOfJPEG = 65500

    /// Pixels that WebP holds in a row or a column (WEBP_MAX_DIMENSION).
    static let longestSideOfWebP = CODEC_WEBP_LONGEST_SIDE

    /// The ending of file names, without its dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        }
    }
}

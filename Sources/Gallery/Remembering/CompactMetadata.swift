internal import Imaging

/// The metadata of an original in little memory. A large gallery has many originals, and most of them have no notes of
/// a camera.
enum CompactMetadata: Sendable {
    case plain(OriginalFormat, width: Int32, height: Int32, hasTransparency: Bool)
    indirect case full(ImageMetadata)

    init(_ metadata: ImageMetadata) {
        guard let width = Int32(exactly: metadata.width), let height = Int32(exactly: metadata.height) else {
            self = .full(metadata)
            return
        }
        let plain = Self.plain(metadata.format, width: width, height: height, hasTransparency: metadata.hasTransparency)
        self = plain.metadata == metadata ? plain : .full(metadata)
    }

    var metadata: ImageMetadata {
        switch self {
        case .plain(let format, let width, let height, let hasTransparency):
            ImageMetadata(
                format: format, width: Int(width), height: Int(height), hasTransparency: hasTransparency)
        case .full(let metadata): metadata
        }
    }
}

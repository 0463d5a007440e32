internal import Imaging

/// The facts of an original in little memory. A large gallery has many originals, and most of them have no notes of a
/// camera.
enum CompactFacts: Sendable {
    case plain(OriginalFormat, width: Int32, height: Int32, hasTransparency: Bool)
    indirect case noted(ImageMetadata)

    init(_ facts: ImageMetadata) {
        guard let width = Int32(exactly: facts.width), let height = Int32(exactly: facts.height) else {
            self = .noted(facts)
            return
        }
        let plain = Self.plain(facts.format, width: width, height: height, hasTransparency: facts.hasTransparency)
        self = plain.facts == facts ? plain : .noted(facts)
    }

    var facts: ImageMetadata {
        switch self {
        case .plain(let format, let width, let height, let hasTransparency):
            ImageMetadata(
                format: format, width: Int(width), height: Int(height), hasTransparency: hasTransparency)
        case .noted(let facts): facts
        }
    }
}

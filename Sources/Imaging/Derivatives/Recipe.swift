internal import CImageCodecs
internal import PhotoModel

/// Everything that decides the bytes of one derivative, as a text. Derivatives with the same text have the same bytes,
/// or, if different versions of gallerygen have packed a PNG, the same pixels.
struct Recipe {
    let fileName: String
    let text: String

    init(
        original: Digest, picture: ImageMetadata, options: DerivativeOptions, resizePlan: ResizePlan,
        kind: DerivativeSpec.Kind, width: Int, format: PictureFormat
    ) {
        let filter = kind == .filtered ? options.filter : .none
        let how =
            switch format {
            case .jpeg: " quality \(options.quality)" + (Self.hasFullColour(options.quality) ? " 4:4:4" : "")
            case .png: ""
            case .webp: " quality \(Int(WebPQuality.equal(toJPEG: options.quality))) method \(WebPQuality.method)"
            }
        text = """
            original \(original)
            filter \(filter.identity)
            size \(width)x\(resizePlan.height(forWidth: width)) by \(resizePlan.path(to: width))
            format \(format.rawValue)\(how)
            by \(ImagingVersion.description(of: picture.format, as: format))
            """
        fileName = "\(Digest(of: text).prefix(16))-\(width).\(format.fileExtension)"
    }

    /// Whether the recipe states that colours have the full resolution. Recipes of lower qualities are older and omit
    /// it.
    private static func hasFullColour(_ quality: Int) -> Bool { quality >= CODEC_JPEG_FULL_COLOUR_QUALITY }
}

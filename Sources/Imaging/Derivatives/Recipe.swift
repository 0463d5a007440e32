internal import PhotoModel

/// Everything that decides the bytes of one derivative, as a text that is the same for the same bytes.
struct Recipe {
    let format: PictureFormat
    let fileName: String
    let text: String

    init(
        original: Digest, picture: PictureFacts, options: DerivativeOptions, ladder: ReductionLadder,
        kind: DerivativeSpec.Kind, width: Int
    ) {
        format = picture.hasTransparency ? .png : .jpeg
        let filter = kind == .filtered ? options.filter : .none
        text = """
            original \(original)
            filter \(filter.identity)
            size \(width)x\(ladder.height(forWidth: width)) by \(ladder.path(to: width))
            format \(format.rawValue)\(format == .jpeg ? " quality \(options.quality)" : "")
            by \(ImagingVersion.description(of: picture.format))
            """
        fileName = "\(Digest(of: text).prefix(16))-\(width).\(format.fileExtension)"
    }
}

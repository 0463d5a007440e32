/// The layout of the samples of decoded rows, before the conversion to sRGB.
struct SampleLayout: Hashable {
    /// The colour space that a profile must have to fit the picture.
    enum Model {
        /// Stored as grey; red, green and blue come alike.
        case grey
        case colour
        /// CMYK in four channels, 255 for no ink, never with alpha.
        case cmyk
    }

    let model: Model
    /// A last channel, straight.
    let hasAlpha: Bool
    /// 16 bits a sample, in the machine's byte order, instead of 8.
    let isWide: Bool

    var channels: Int { model == .cmyk || hasAlpha ? 4 : 3 }
    var bytesPerPixel: Int { channels * (isWide ? 2 : 1) }
}

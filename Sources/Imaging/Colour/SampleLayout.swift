/// The layout of the samples of decoded rows, before the conversion to sRGB.
struct SampleLayout: Hashable {
    /// The colour model of a picture. A profile fits the picture only if it has the same one.
    enum Model {
        /// Samples that are stored as grey and decoded to equal red, green and blue.
        case grey
        case colour
        /// CMYK in four channels, 255 for no ink, never with alpha.
        case cmyk
    }

    let model: Model
    /// Whether there is an alpha channel, which comes last. Colours are not premultiplied.
    let hasAlpha: Bool
    /// Whether samples have 16 bits, in the machine's byte order, instead of 8.
    let isWide: Bool

    var channels: Int { model == .cmyk || hasAlpha ? 4 : 3 }
    var bytesPerPixel: Int { channels * (isWide ? 2 : 1) }
}

/// The estimated time for the derivatives of an original, by its header, so that a long job is not started last.
///
/// The factors are nanoseconds of one processor a pixel. Those of JPEG and PNG are the result of
/// docs/contributing/speed.md. GIF and WebP were compared with them by means of one picture, and the cost of
/// interlacing is a guess. On other machines only the proportions hold, and nothing but the order of work depends on
/// them.
enum WorkEstimate {
    /// The time for the smallest picture: opening and writing files, and making tables.
    private static let fixedDuration = 1_500_000.0

    /// The time for each pixel that is compressed to WebP. Compressing to WebP takes 25 to 30 times as long as to JPEG,
    /// whose time is part of the decoders' factors.
    private static let perPixelOfWebP = 85.0

    /// The time for a byte of a WebP original. The value is for lossy WebP, which most photographs have, with a seventh
    /// of a byte a pixel.
    private static let perByteOfWebP = 150.0

    /// - Returns: the time in nanoseconds.
    static func duration(_ header: PictureHeader, _ options: DerivativeOptions) -> Double {
        let resizePlan = ResizePlan(header.metadata, widths: options.widths)
        let decoding = perPixel(header, shrink: resizePlan.shrink) * Double(header.width) * Double(header.height)
        guard DerivativeSpec.formats(header.presumedMetadata, resizePlan: resizePlan, options).contains(.webp) else {
            return fixedDuration + decoding
        }
        let written = resizePlan.widths.reduce(0.0) { $0 + Double($1) * Double(resizePlan.height(forWidth: $1)) }
        return fixedDuration + decoding + perPixelOfWebP * written
    }

    /// - Returns: the time in nanoseconds for a WebP of which only the length, in bytes, is known.
    static func duration(ofWebPOfLength length: Int) -> Double { fixedDuration + perByteOfWebP * Double(length) }

    private static func perPixel(_ header: PictureHeader, shrink: Int) -> Double {
        switch (header.format, header.arrivesInPasses) {
        case (.jpeg, true): 28
        case (.jpeg, false): shrink > 1 ? 5.5 : 14
        // An alpha channel costs 10 if all pixels are opaque and 54 if not, which is known only from the pixels.
        case (.png, let isInterlaced): (header.hasTransparency ? 30 : 13) + (isInterlaced ? 10 : 0)
        case (.webp, _): 30
        case (.gif, _): 25
        }
    }
}

/// The cost of an original, estimated before it is rendered.
package struct RenderingCost: Sendable {
    /// The header; nil if reading it takes much memory.
    package let header: PictureHeader?
    /// The time in nanoseconds of one processor, by which originals can be compared.
    package let duration: Double
    /// The most memory in bytes; for a WebP, the least.
    package let memory: Int
}

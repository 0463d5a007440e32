#if arch(x86_64)
    internal import CReduction
#endif

/// Makes interleaved samples of two rows of 8-bit pixels.
enum PairedRows {
    /// Premultiplies two rows of RGBA, so that the colours of invisible pixels do not bleed into visible ones.
    ///
    /// - Parameters:
    ///   - first: the upper row, not premultiplied.
    ///   - second: the lower row, not premultiplied.
    ///   - pairs: room for `pixels` pairs, one for each pixel.
    ///   - pixels: the number of pixels in a row.
    static func premultiply(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>,
        into pairs: UnsafeMutablePointer<InterleavedSamples>,
        pixels: Int, loops: ReductionLoops
    ) {
        #if arch(x86_64)
            if loops == .avx2 { return reduction_premultiply(first, second, pairs, pixels) }
        #endif
        let (one, other) = (UnsafeRawPointer(first), UnsafeRawPointer(second))
        for pixel in 0..<pixels {
            let at = 4 &* pixel
            let above = one.loadUnaligned(fromByteOffset: at, as: UInt32.self)
            let below = other.loadUnaligned(fromByteOffset: at, as: UInt32.self)
            pairs[pixel] =
                first[at &+ 3] & second[at &+ 3] == 255
                ? InterleavedSamples(levels: above, below)
                : InterleavedSamples(
                    premultiplied(above, by: first[at &+ 3]), premultiplied(below, by: second[at &+ 3]))
        }
    }

    @inline(__always)
    private static func premultiplied(_ pixel: UInt32, by alpha: UInt8) -> SampleSums {
        var levels = SampleSums(levels: pixel)
        levels[3] = 255
        return ((levels.products(with: Int32(alpha)) &<< 6) &+ SampleSums(repeating: 127)).quotients(by: 255)
    }
}

/// Makes samples of two rows of 8-bit pixels, interleaved.
enum PairedRows {
    /// - Parameters:
    ///   - first: RGBA, which is premultiplied, so that the colours of invisible pixels do not bleed into visible
    ///     ones; the second row likewise.
    ///   - pairs: room for `pixels` pairs, one a pixel.
    static func premultiply(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>,
        into pairs: UnsafeMutablePointer<InterleavedSamples>,
        pixels: Int
    ) {
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

/// Makes samples of two rows of 8-bit pixels, interleaved.
enum PairedRows {
    /// - Parameters:
    ///   - first: RGBA, which is premultiplied, so that the colours of invisible pixels do not bleed into visible ones; the
    ///     second row likewise.
    ///   - pairs: room for `pixels` pairs, one a pixel.
    static func premultiply(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, into pairs: UnsafeMutablePointer<SamplePairs>,
        pixels: Int
    ) {
        let (one, other) = (UnsafeRawPointer(first), UnsafeRawPointer(second))
        for pixel in 0..<pixels {
            let at = 4 &* pixel
            if first[at &+ 3] & second[at &+ 3] == 255 {
                pairs[pixel] = SamplePairs(
                    levels: one.loadUnaligned(fromByteOffset: at, as: UInt32.self),
                    other.loadUnaligned(fromByteOffset: at, as: UInt32.self))
            } else {
                pairs[pixel] = SamplePairs(premultiplied(first + at), premultiplied(second + at))
            }
        }
    }

    @inline(__always)
    private static func premultiplied(_ pixel: UnsafePointer<UInt8>) -> SampleSums {
        let alpha = Int32(pixel[3])
        func sample(_ level: UInt8) -> Int32 { (Int32(level) &* alpha &* 64 &+ 127) / 255 }
        return SampleSums(sample(pixel[0]), sample(pixel[1]), sample(pixel[2]), alpha &<< 6)
    }
}

/// Makes samples of two rows of 8-bit pixels, interleaved.
enum PairedRows {
    /// - Parameters:
    ///   - pairs: room for `pixels` pairs, one a pixel.
    ///   - channels: 3 (RGB) or 4 (RGBA, which is premultiplied, so that the colours of invisible pixels do not bleed into
    ///     visible ones).
    static func widen(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, into pairs: UnsafeMutablePointer<SamplePairs>,
        pixels: Int, channels: Int
    ) {
        if channels == 3 {
            widenColours(first, second, into: pairs, pixels: pixels)
        } else {
            premultiply(first, second, into: pairs, pixels: pixels)
        }
    }

    private static func widenColours(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, into pairs: UnsafeMutablePointer<SamplePairs>,
        pixels: Int
    ) {
        // Four bytes are read for three; where there is no fourth, after the last pixel, that would leave the row.
        var (one, other) = (UnsafeRawPointer(first), UnsafeRawPointer(second))
        let last = pixels &- 1
        var pixel = 0
        while pixel < last {
            pairs[pixel] = SamplePairs(
                levels: one.loadUnaligned(as: UInt32.self), other.loadUnaligned(as: UInt32.self))
            one += 3
            other += 3
            pixel &+= 1
        }
        let pair = [first + 3 * last, second + 3 * last].map { SIMD4<UInt8>($0[0], $0[1], $0[2], 0) }
        pairs[last] = SamplePairs(
            levels: unsafeBitCast(pair[0], to: UInt32.self), unsafeBitCast(pair[1], to: UInt32.self))
    }

    private static func premultiply(
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

/// How samples are kept while a picture is reduced: 16 bits with 6 fraction bits, 0 for black and 16320 for white, with
/// room for the overshoot of the Lanczos kernel.
enum SampleRow {
    static let fractionBits = 6
    static let white: Int32 = 255 << 6

    /// Premultiplies RGBA, so that the colours of invisible pixels do not bleed into visible ones.
    static func premultiply(_ row: UnsafePointer<UInt8>, into samples: UnsafeMutablePointer<Int16>, pixels: Int) {
        for pixel in 0..<pixels {
            let from = row + pixel * 4
            let to = samples + pixel * 4
            let alpha = Int32(from[3])
            for channel in 0..<3 {
                to[channel] = Int16(truncatingIfNeeded: (Int32(from[channel]) &* alpha &* 64 &+ 127) / 255)
            }
            to[3] = Int16(truncatingIfNeeded: alpha &<< 6)
        }
    }

    /// The straight RGBA of one premultiplied pixel; transparent black where nothing is visible.
    @inline(__always)
    static func unpremultiply(_ sample: SIMD4<Int32>, into pixel: UnsafeMutablePointer<UInt8>) {
        let alpha = min(sample.w, white)
        let alpha8 = (alpha &+ 32) &>> 6
        guard alpha8 > 0 else {
            for channel in 0..<4 { pixel[channel] = 0 }
            return
        }
        for channel in 0..<3 {
            let level =
                alpha == white ? (sample[channel] &+ 32) &>> 6 : (sample[channel] &* 255 &+ alpha / 2) / alpha
            pixel[channel] = UInt8(truncatingIfNeeded: min(max(level, 0), 255))
        }
        pixel[3] = UInt8(truncatingIfNeeded: alpha8)
    }
}

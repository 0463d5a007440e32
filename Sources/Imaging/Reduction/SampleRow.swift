/// How samples are kept while a picture is reduced: 16 bits with 6 fraction bits, 0 for black and 16320 for white, with
/// room for the overshoot of the Lanczos kernel.
enum SampleRow {
    static let fractionBits = 6
    static let white: Int32 = 255 << 6

    /// The samples of `count` 8-bit levels.
    static func widen(_ row: UnsafePointer<UInt8>, into samples: UnsafeMutablePointer<Int16>, count: Int) {
        var index = 0
        while index < count {
            samples[index] = Int16(row[index]) &<< 6
            index &+= 1
        }
    }

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

    /// The 8-bit levels of `count` samples.
    static func store(_ samples: UnsafePointer<Int32>, into row: UnsafeMutablePointer<UInt8>, count: Int) {
        var index = 0
        while index < count {
            row[index] = UInt8(truncatingIfNeeded: min(max((samples[index] &+ 32) &>> 6, 0), 255))
            index &+= 1
        }
    }

    /// The straight RGBA of premultiplied pixels; transparent black where nothing is visible.
    static func unpremultiply(_ samples: UnsafePointer<Int32>, into row: UnsafeMutablePointer<UInt8>, pixels: Int) {
        for pixel in 0..<pixels {
            let from = samples + pixel * 4
            let to = row + pixel * 4
            // Next to an edge the kernel overshoots, in colour and alpha alike: the quotient has to see both.
            let alpha = from[3]
            let alphaLevel = min((alpha &+ 32) &>> 6, 255)
            for channel in 0..<3 {
                let level =
                    alpha == white
                    ? (from[channel] &+ 32) &>> 6
                    : alphaLevel > 0 ? (from[channel] &* 255 &+ alpha / 2) / alpha : 0
                to[channel] = UInt8(truncatingIfNeeded: min(max(level, 0), 255))
            }
            to[3] = UInt8(truncatingIfNeeded: max(alphaLevel, 0))
        }
    }
}

/// Converts CMYK rows without a usable profile to RGB.
///
/// The inks are taken to be stored inverted, 255 for no ink. Adobe's programs write them so, with a marker. Files
/// without the marker nearly always do the same, and browsers treat both alike.
final class CMYKConversion: RowConversion {
    func convert(_ row: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>, pixels: Int) {
        for pixel in 0..<pixels {
            let cmyk = row + pixel * 4
            let colour = result + pixel * 3
            let black = cmyk[3]
            colour[0] = Self.darkened(cmyk[0], by: black)
            colour[1] = Self.darkened(cmyk[1], by: black)
            colour[2] = Self.darkened(cmyk[2], by: black)
        }
    }

    /// The product `level` × `black` / 255, rounded. The result is exact for all 8-bit values.
    @inline(__always)
    private static func darkened(_ level: UInt8, by black: UInt8) -> UInt8 {
        let product = UInt32(level) &* UInt32(black) &+ 128
        return UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
    }
}

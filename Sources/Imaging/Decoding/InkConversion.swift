/// Turns CMYK rows into RGB ones.
///
/// The amounts are taken as stored inverted, 255 for no ink: Adobe's programs write them so, with a marker; files without
/// it nearly always do too, and browsers treat both alike.
enum InkConversion {
    /// - Parameter row: `pixels` × 4 bytes, of which the first `pixels` × 3 become RGB.
    static func convertInPlace(_ row: UnsafeMutablePointer<UInt8>, pixels: Int) {
        for pixel in 0..<pixels {
            let inks = row + pixel * 4
            let colour = row + pixel * 3
            let (cyan, magenta, yellow, black) = (inks[0], inks[1], inks[2], inks[3])
            colour[0] = darkened(cyan, by: black)
            colour[1] = darkened(magenta, by: black)
            colour[2] = darkened(yellow, by: black)
        }
    }

    /// `level` × `black` / 255, rounded: exact for all 8-bit values.
    @inline(__always)
    private static func darkened(_ level: UInt8, by black: UInt8) -> UInt8 {
        let product = UInt32(level) &* UInt32(black) &+ 128
        return UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
    }
}

/// The colour space of a cICP chunk (PNG specification, third edition, §11.3.2.6): code points of ITU-T H.273.
struct CodePoints {
    /// The colour primaries (H.273, table 2).
    let primaries: UInt8
    /// The transfer characteristics (H.273, table 3).
    let transfer: UInt8
    /// The matrix coefficients (H.273, table 4); 0 for no matrix, which is the only value that PNG allows.
    let matrix: UInt8
    let isFullRange: Bool

    /// The colour space; nil if it is not converted, because it has a high dynamic range, because it has no formula or
    /// no use in PNG, or because its code points are not assigned.
    var colours: ColourDescription? {
        guard matrix == 0, isFullRange else { return nil }
        if primaries == 1, transfer == 13 { return .sRGB }
        guard let points = Self.primaries[primaries], let curve = Self.curve(transfer) else { return nil }
        return .primaries(
            ColourDescription.Primaries(
                curve: curve, white: points.white, red: points.red, green: points.green, blue: points.blue))
    }

    private typealias Chromaticity = ColourDescription.Primaries.Chromaticity
    private typealias Chromaticities = (red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity)

    private static let d65 = Chromaticity(0.3127, 0.3290)
    private static let illuminantC = Chromaticity(0.310, 0.316)
    private static let smpte170: Chromaticities = ([0.630, 0.340], [0.310, 0.595], [0.155, 0.070], d65)

    private static let primaries: [UInt8: Chromaticities] = [
        1: ([0.640, 0.330], [0.300, 0.600], [0.150, 0.060], d65),
        4: ([0.67, 0.33], [0.21, 0.71], [0.14, 0.08], illuminantC),
        5: ([0.64, 0.33], [0.29, 0.60], [0.15, 0.06], d65),
        6: smpte170,
        7: smpte170,
        8: ([0.681, 0.319], [0.243, 0.692], [0.145, 0.049], illuminantC),
        9: ([0.708, 0.292], [0.170, 0.797], [0.131, 0.046], d65),
        11: ([0.680, 0.320], [0.265, 0.690], [0.150, 0.060], [0.314, 0.351]),
        12: ([0.680, 0.320], [0.265, 0.690], [0.150, 0.060], d65),
        22: ([0.630, 0.340], [0.295, 0.605], [0.155, 0.077], d65),
    ]

    private static func curve(_ transfer: UInt8) -> ColourDescription.Primaries.Curve? {
        switch transfer {
        // BT.709, BT.601, IEC 61966-2-4 and BT.1361 for values that are not negative, and BT.2020 with 10 and 12 bits.
        case 1, 6, 11, 12, 14, 15: .powerAboveLine(exponent: 1 / 0.45, offset: 0.09929682680944, slope: 4.5)
        case 4: .power(2.2)
        case 5: .power(2.8)
        case 7: .powerAboveLine(exponent: 1 / 0.45, offset: 0.1115, slope: 4)
        case 8: .power(1)
        case 13: .powerAboveLine(exponent: 2.4, offset: 0.055, slope: 12.92)
        default: nil
        }
    }
}

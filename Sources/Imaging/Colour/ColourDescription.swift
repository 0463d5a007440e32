/// The colour space that a file declares for its samples.
enum ColourDescription {
    /// The file declares sRGB, or nothing.
    case sRGB
    /// The bytes of an ICC profile (ICC.1:2010), which nothing has checked yet.
    case profile([UInt8])
    case primaries(Primaries)
    /// An ICC profile that is incomplete, too large or unreadable.
    case brokenProfile

    /// The values of the gAMA and cHRM chunks of a PNG, or of its cICP chunk (PNG specification, third edition,
    /// §11.3.2).
    struct Primaries: Equatable {
        /// A chromaticity, as CIE 1931 x and y.
        typealias Chromaticity = SIMD2<Double>

        /// The transfer function from samples, 0 to 1, to linear light.
        enum Curve: Equatable {
            case power(Double)
            /// ((x + offset) / (1 + offset))^exponent above the point where the two pieces meet, and x / slope below
            /// it.
            case powerAboveLine(exponent: Double, offset: Double, slope: Double)
        }

        let curve: Curve
        let white: Chromaticity
        let red: Chromaticity
        let green: Chromaticity
        let blue: Chromaticity

        /// The exponent that is nearest to sRGB's curve.
        static let exponentOfSRGB = 2.2
        static let whiteOfSRGB = Chromaticity(0.3127, 0.3290)
        static let redOfSRGB = Chromaticity(0.64, 0.33)
        static let greenOfSRGB = Chromaticity(0.30, 0.60)
        static let blueOfSRGB = Chromaticity(0.15, 0.06)

        /// Whether the colours can't be distinguished from those of sRGB. As in libpng, exponents within 5 % count as
        /// equal.
        var areNearSRGB: Bool {
            guard case .power(let exponent) = curve else { return false }
            return abs(Self.exponentOfSRGB / exponent - 1) < 0.05
                && [
                    (white, Self.whiteOfSRGB), (red, Self.redOfSRGB), (green, Self.greenOfSRGB),
                    (blue, Self.blueOfSRGB),
                ].allSatisfy { abs($0.0.x - $0.1.x) < 0.002 && abs($0.0.y - $0.1.y) < 0.002 }
        }
    }
}

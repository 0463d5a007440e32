internal import Foundation

/// An affine map of red, green and blue, each from 0 to 1. All filter functions are such maps.
struct ColourMatrix: Sendable {
    /// The factors of red, green and blue, and the constant that is added, for red, green and blue of the result.
    let rows: [SIMD4<Double>]

    private init(_ red: SIMD4<Double>, _ green: SIMD4<Double>, _ blue: SIMD4<Double>) {
        rows = [red, green, blue]
    }

    /// A matrix with the same slope and intercept for each channel.
    private init(slope: Double, intercept: Double) {
        self.init([slope, 0, 0, intercept], [0, slope, 0, intercept], [0, 0, slope, intercept])
    }

    /// The matrix of a function, by Filter Effects Module Level 1 §"Shorthands defined in terms of the filter element".
    init(_ function: FilterFunction) {
        let amount = function.parameter
        switch function.kind {
        case .sepia:
            let rest = 1 - amount
            self.init(
                [0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest, 0],
                [0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest, 0],
                [0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest, 0])
        case .grayscale:
            let rest = 1 - amount
            self.init(
                [0.2126 + 0.7874 * rest, 0.7152 - 0.7152 * rest, 0.0722 - 0.0722 * rest, 0],
                [0.2126 - 0.2126 * rest, 0.7152 + 0.2848 * rest, 0.0722 - 0.0722 * rest, 0],
                [0.2126 - 0.2126 * rest, 0.7152 - 0.7152 * rest, 0.0722 + 0.9278 * rest, 0])
        case .saturate:
            self.init(
                [0.213 + 0.787 * amount, 0.715 - 0.715 * amount, 0.072 - 0.072 * amount, 0],
                [0.213 - 0.213 * amount, 0.715 + 0.285 * amount, 0.072 - 0.072 * amount, 0],
                [0.213 - 0.213 * amount, 0.715 - 0.715 * amount, 0.072 + 0.928 * amount, 0])
        case .brightness:
            self.init(slope: amount, intercept: 0)
        case .contrast:
            self.init(slope: amount, intercept: 0.5 - 0.5 * amount)
        case .invert:
            self.init(slope: 1 - 2 * amount, intercept: amount)
        case .hueRotate:
            let angle = amount.truncatingRemainder(dividingBy: 360) * .pi / 180
            let (c, s) = (cos(angle), sin(angle))
            self.init(
                [0.213 + 0.787 * c - 0.213 * s, 0.715 - 0.715 * c - 0.715 * s, 0.072 - 0.072 * c + 0.928 * s, 0],
                [0.213 - 0.213 * c + 0.143 * s, 0.715 + 0.285 * c + 0.140 * s, 0.072 - 0.072 * c - 0.283 * s, 0],
                [0.213 - 0.213 * c - 0.787 * s, 0.715 - 0.715 * c + 0.715 * s, 0.072 + 0.928 * c + 0.072 * s, 0])
        }
    }
}

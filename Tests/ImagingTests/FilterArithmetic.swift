import Foundation

/// The filter functions of Filter Effects Module Level 1 in floating point, as a reference for comparison.
enum FilterArithmetic {
    typealias Colour = SIMD3<Double>

    /// Applies one function, by its CSS name, to a colour from 0 to 1, and clamps the result.
    static func apply(_ name: String, _ amount: Double, to colour: Colour) -> Colour {
        let result: Colour
        switch name {
        case "brightness": result = colour * amount
        case "contrast": result = (colour - 0.5) * amount + 0.5
        case "invert": result = colour * (1 - amount) + (1 - colour) * amount
        case "sepia":
            let toned = Colour(
                0.393 * colour.x + 0.769 * colour.y + 0.189 * colour.z,
                0.349 * colour.x + 0.686 * colour.y + 0.168 * colour.z,
                0.272 * colour.x + 0.534 * colour.y + 0.131 * colour.z)
            result = colour + (toned - colour) * amount
        case "grayscale":
            let grey = 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z
            result = colour + (Colour(repeating: grey) - colour) * amount
        case "saturate":
            let grey = Colour(repeating: luminance(colour))
            result = grey + (colour - grey) * amount
        case "hue-rotate":
            let angle = amount * .pi / 180
            let grey = Colour(repeating: luminance(colour))
            let turned = Colour(
                -0.213 * colour.x - 0.715 * colour.y + 0.928 * colour.z,
                0.143 * colour.x + 0.140 * colour.y - 0.283 * colour.z,
                -0.787 * colour.x + 0.715 * colour.y + 0.072 * colour.z)
            result = grey + (colour - grey) * cos(angle) + turned * sin(angle)
        default: fatalError("no function \(name)")
        }
        return result.clamped(lowerBound: .zero, upperBound: Colour(repeating: 1))
    }

    private static func luminance(_ colour: Colour) -> Double {
        0.213 * colour.x + 0.715 * colour.y + 0.072 * colour.z
    }
}

/// A colour matrix in 64-bit fixed point, for chains. Its results are levels of 0 to 255 with 16 fraction bits.
struct FixedPointMatrix: Sendable {
    /// A colour between two functions: levels of 0 to 255 with 16 fraction bits.
    struct Colour {
        var red, green, blue: Int64

        init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = Int64(red) &<< 16
            self.green = Int64(green) &<< 16
            self.blue = Int64(blue) &<< 16
        }

        fileprivate init(red: Int64, green: Int64, blue: Int64) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        var rounded: (UInt8, UInt8, UInt8) {
            (
                UInt8(truncatingIfNeeded: (red &+ 0x8000) &>> 16),
                UInt8(truncatingIfNeeded: (green &+ 0x8000) &>> 16),
                UInt8(truncatingIfNeeded: (blue &+ 0x8000) &>> 16)
            )
        }
    }

    /// A row of the matrix. Factors have 20 fraction bits and are at most 2^16, and colours are below 2^24. A product
    /// is therefore below 2^60, and the sum of three products and a constant fits into 63 bits.
    private struct Row {
        let red, green, blue, constant: Int64

        init(_ row: SIMD4<Double>) {
            red = Int64((row.x * 0x1p20).rounded())
            green = Int64((row.y * 0x1p20).rounded())
            blue = Int64((row.z * 0x1p20).rounded())
            constant = Int64((row.w * 255 * 0x1p36).rounded()) + (1 << 19)
        }

        @inline(__always)
        func apply(to colour: Colour) -> Int64 {
            let sum = colour.red &* red &+ colour.green &* green &+ colour.blue &* blue &+ constant
            return min(max(sum &>> 20, 0), 255 << 16)
        }
    }

    private let red, green, blue: Row

    init(_ matrix: ColourMatrix) {
        red = Row(matrix.rows[0])
        green = Row(matrix.rows[1])
        blue = Row(matrix.rows[2])
    }

    @inline(__always)
    func apply(to colour: Colour) -> Colour {
        Colour(red: red.apply(to: colour), green: green.apply(to: colour), blue: blue.apply(to: colour))
    }
}

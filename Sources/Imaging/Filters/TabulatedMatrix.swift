/// A colour matrix as three tables, one for each channel of an 8-bit pixel: the result is the sum of three entries.
struct TabulatedMatrix: Sendable {
    /// For each value of red, then of green, then of blue: what it adds to red, green and blue of the result, in fixed
    /// point. Those of red hold the constant part too, and half a level, so that shifting rounds.
    private let entries: [SIMD4<Int32>]
    private let fractionBits: Int32

    init(_ matrix: ColourMatrix) {
        let sums: [Double] = matrix.rows.map { abs($0.x) + abs($0.y) + abs($0.z) + abs($0.w) }
        let largest = 255 * (sums.max() ?? 0) + 1
        // As many bits as leave the sum of three entries within 32 bits, whatever the pixel.
        let bits = (0...16).last { largest * Double(1 << $0) < 2_147_483_000 } ?? 0
        let one = Double(1 << bits)
        var entries: [SIMD4<Int32>] = []
        entries.reserveCapacity(3 * 256)
        for channel in 0..<3 {
            for value in 0..<256 {
                var entry = SIMD4<Int32>.zero
                for (index, row) in matrix.rows.enumerated() {
                    let constant = channel == 0 ? row.w * 255 + 0.5 : 0
                    entry[index] = Int32(((row[channel] * Double(value) + constant) * one).rounded())
                }
                entries.append(entry)
            }
        }
        self.entries = entries
        fractionBits = Int32(bits)
    }

    func apply(to source: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<UInt8>, pixels: Int, channels: Int) {
        let shift = SIMD4<Int32>(repeating: fractionBits)
        let white = SIMD4<Int32>(repeating: 255)
        entries.withUnsafeBufferPointer { entries in
            guard let red = entries.baseAddress else { return }
            let (green, blue) = (red + 256, red + 512)
            for pixel in 0..<pixels {
                let from = source + pixel * channels
                let to = result + pixel * channels
                let sum = red[Int(from[0])] &+ green[Int(from[1])] &+ blue[Int(from[2])]
                let colour = (sum &>> shift).clamped(lowerBound: .zero, upperBound: white)
                to[0] = UInt8(truncatingIfNeeded: colour.x)
                to[1] = UInt8(truncatingIfNeeded: colour.y)
                to[2] = UInt8(truncatingIfNeeded: colour.z)
                if channels == 4 { to[3] = from[3] }
            }
        }
    }
}

/// A colour matrix as three tables, one for each channel of an 8-bit pixel. The result is the sum of three entries.
struct TabulatedMatrix: Sendable {
    /// The amounts, in fixed point, that each value of red, then of green, then of blue adds to red, green and blue of
    /// the result. The entries of red also contain the constant part and half a level, so that shifting rounds.
    private let entries: [SIMD4<Int32>]

    private static let fractionBits: Int32 = 16

    /// - Returns: nil if the sum of three entries could exceed 32 bits, which takes an immoderate amount.
    init?(_ matrix: ColourMatrix) {
        let sums: [Double] = matrix.rows.map { abs($0.x) + abs($0.y) + abs($0.z) + abs($0.w) }
        guard 255 * (sums.max() ?? 0) < 32_760 else { return nil }
        let one = Double(1 << Self.fractionBits)
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
    }

    /// Filters a row, as `FilterKernel.apply` describes.
    func apply(to source: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<UInt8>, pixels: Int, channels: Int) {
        let shift = SIMD4<Int32>(repeating: Self.fractionBits)
        let end = source + pixels * channels
        var from = source
        var to = UnsafeMutableRawPointer(result)
        entries.withUnsafeBufferPointer { entries in
            guard let red = entries.baseAddress else { return }
            let (green, blue) = (red + 256, red + 512)
            while from < end {
                let sum = red[Int(from[0])] &+ green[Int(from[1])] &+ blue[Int(from[2])]
                // A store of four bytes is three times as fast as three stores of one byte. The fourth byte is
                // overwritten later.
                to.storeBytes(of: (sum &>> shift).bytes, as: UInt32.self)
                if channels == 4 { to.storeBytes(of: from[3], toByteOffset: 3, as: UInt8.self) }
                from += channels
                to += channels
            }
        }
    }
}

/// Makes a shorter row out of a longer one, and 8-bit pixels of its samples.
struct HorizontalPass {
    private let weights: ReductionWeights
    private let channels: Int

    init(_ weights: ReductionWeights, channels: Int) {
        self.weights = weights
        self.channels = channels
    }

    /// - Parameters:
    ///   - samples: pixels as in `SampleRow`.
    ///   - row: as many pixels of 8 bits as there are weights for.
    func reduce(_ samples: UnsafePointer<Int16>, into row: UnsafeMutablePointer<UInt8>) {
        let bits = Int32(ReductionWeights.fractionBits)
        let half = SIMD4<Int32>(repeating: 1 &<< (bits &- 1))
        weights.values.withUnsafeBufferPointer { values in
            for index in 0..<weights.starts.count {
                var from = samples + weights.starts[index] * channels
                let first = index * weights.taps
                var sum = half
                for tap in first..<first + weights.counts[index] {
                    let weight = Int32(values[tap])
                    sum.x &+= Int32(from[0]) &* weight
                    sum.y &+= Int32(from[1]) &* weight
                    sum.z &+= Int32(from[2]) &* weight
                    if channels == 4 { sum.w &+= Int32(from[3]) &* weight }
                    from += channels
                }
                let to = row + index * channels
                sum = sum &>> SIMD4(repeating: bits)
                if channels == 4 {
                    SampleRow.unpremultiply(sum, into: to)
                } else {
                    for channel in 0..<3 {
                        let level = (sum[channel] &+ 32) &>> 6
                        to[channel] = UInt8(truncatingIfNeeded: min(max(level, 0), 255))
                    }
                }
            }
        }
    }
}

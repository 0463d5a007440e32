/// Makes one row out of several: their sum by weights, sample by sample.
///
/// It comes before the horizontal pass, since its inner loop runs along rows and vectorises, and leaves only rows of the
/// output for the other.
struct VerticalPass {
    private let sums: PixelBuffer<Int32>

    /// Taps come in groups of so many, filled up with weights of zero.
    static let tapsAtOnce = 4

    /// Samples summed in one go, so that the sums stay in the nearest cache.
    private static let block = 1024

    init() {
        sums = PixelBuffer(Self.block, zero: 0)
    }

    /// - Parameters:
    ///   - rows: a multiple of `tapsAtOnce` rows of `count` samples as in `SampleRow`.
    ///   - weights: one for each row.
    ///   - result: `count` samples as in `SampleRow`.
    func combine(
        _ rows: UnsafeBufferPointer<UnsafePointer<Int16>>, _ weights: UnsafePointer<Int16>,
        into result: UnsafeMutablePointer<Int16>, count: Int
    ) {
        let shift = Int32(ReductionWeights.fractionBits)
        let half = Int32(1) &<< (shift &- 1)
        var start = 0
        while start < count {
            let length = min(Self.block, count - start)
            let sums = sums.base
            var index = 0
            while index < length {
                sums[index] = half
                index &+= 1
            }
            for tap in stride(from: 0, to: rows.count, by: Self.tapsAtOnce) {
                let weights = weights + tap
                add(
                    rows[tap] + start, rows[tap + 1] + start, rows[tap + 2] + start, rows[tap + 3] + start,
                    (weights[0], weights[1], weights[2], weights[3]), sums, length)
            }
            let target = result + start
            index = 0
            while index < length {
                target[index] = Int16(truncatingIfNeeded: sums[index] &>> shift)
                index &+= 1
            }
            start += length
        }
    }

    /// Four taps in one go halve the traffic of sums. Weights are widened here, so that the optimizer sees that 16 bits are
    /// multiplied by 16 bits, for which processors have instructions.
    @inline(__always)
    private func add(
        _ first: UnsafePointer<Int16>, _ second: UnsafePointer<Int16>, _ third: UnsafePointer<Int16>,
        _ fourth: UnsafePointer<Int16>, _ weights: (Int16, Int16, Int16, Int16),
        _ sums: UnsafeMutablePointer<Int32>, _ length: Int
    ) {
        var index = 0
        while index < length {
            let one = Int32(first[index]) &* Int32(weights.0)
            let two = Int32(second[index]) &* Int32(weights.1)
            let three = Int32(third[index]) &* Int32(weights.2)
            let four = Int32(fourth[index]) &* Int32(weights.3)
            sums[index] = sums[index] &+ (one &+ two) &+ (three &+ four)
            index &+= 1
        }
    }
}

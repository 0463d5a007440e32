/// Makes one row out of several: their sum by weights, sample by sample.
///
/// It comes before the horizontal pass, since its inner loop runs along rows and vectorises, and leaves only rows of the
/// output for the other.
struct VerticalPass {
    private let sums: PixelBuffer<Int32>

    /// Samples summed in one go, so that the sums stay in the nearest cache.
    private static let block = 1024

    init() {
        sums = PixelBuffer(Self.block, zero: 0)
    }

    /// - Parameters:
    ///   - rows: `weights.count` rows of at least `count` samples: 8-bit levels, or samples as in `SampleRow`.
    ///   - result: `count` samples as in `SampleRow`.
    func combine<Sample: FixedWidthInteger & BitwiseCopyable>(
        _ rows: [UnsafePointer<Sample>], _ weights: UnsafeBufferPointer<Int16>,
        into result: UnsafeMutablePointer<Int16>, count: Int
    ) {
        let fraction = Sample.self == UInt8.self ? 0 : SampleRow.fractionBits
        let shift = Int32(ReductionWeights.fractionBits + fraction - SampleRow.fractionBits)
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
            var tap = 0
            while tap + 1 < rows.count {
                add(rows[tap] + start, Int32(weights[tap]), rows[tap + 1] + start, Int32(weights[tap + 1]), sums, length)
                tap += 2
            }
            if tap < rows.count {
                add(rows[tap] + start, Int32(weights[tap]), rows[tap] + start, 0, sums, length)
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

    @inline(__always)
    private func add<Sample: FixedWidthInteger>(
        _ first: UnsafePointer<Sample>, _ firstWeight: Int32, _ second: UnsafePointer<Sample>, _ secondWeight: Int32,
        _ sums: UnsafeMutablePointer<Int32>, _ length: Int
    ) {
        var index = 0
        while index < length {
            let one = Int32(truncatingIfNeeded: first[index]) &* firstWeight
            let two = Int32(truncatingIfNeeded: second[index]) &* secondWeight
            sums[index] = sums[index] &+ one &+ two
            index &+= 1
        }
    }
}

/// The last pairs of rows as interleaved samples. It holds as many pairs as the kernel spans.
final class InterleavedRowRing {
    private let pairs: Int
    private let loops: ReductionLoops
    private let samples: PixelBuffer<InterleavedSamples>
    /// The number of pixels in a row of the ring: those of the source, and black ones up to a multiple of
    /// `VerticalPass.pixelsAtOnce`.
    private let width: Int
    private var pairsIn = 0

    /// - Parameter pairs: the number of pairs of rows that the kernel spans.
    init(pixels: Int, pairs: Int, loops: ReductionLoops) {
        self.loops = loops
        self.pairs = pairs
        let group = VerticalPass.pixelsAtOnce
        width = (pixels + group - 1) / group * group
        samples = PixelBuffer(pairs * width, zero: .zero)
    }

    /// The place of the next pair of rows, which replaces the oldest one.
    func nextPair() -> UnsafeMutablePointer<InterleavedSamples> {
        defer { pairsIn += 1 }
        return samples.base + pairsIn % pairs * width
    }

    /// Makes one row out of neighbouring ones: see `RowWindow.combine`.
    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>
    ) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<InterleavedSamples>.self, capacity: count) { pointers in
            for index in 0..<count {
                pointers[index] = UnsafePointer(samples.base + (first + index) % pairs * width)
            }
            VerticalPass.combine(UnsafeBufferPointer(pointers), weights, into: result, pixels: width, loops: loops)
        }
    }
}

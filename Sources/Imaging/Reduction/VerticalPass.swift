#if arch(x86_64)
    internal import CReduction
#endif

/// Makes one row out of several, as their weighted sum, sample by sample.
///
/// This pass comes before the horizontal pass, which then has to process only rows of the output. It interleaves
/// neighbouring pixels.
enum VerticalPass {
    /// The number of sums for which registers suffice, with their operands. Each weight is then loaded once for all of
    /// them.
    static let pixelsAtOnce = 4

    /// - Parameters:
    ///   - rows: the pairs of rows, with one pair of samples for each pixel.
    ///   - weights: one pair of weights for each pair of rows.
    ///   - result: every second place of it gets one pair for two pixels.
    ///   - pixels: the number of pixels in a row, a multiple of `pixelsAtOnce`.
    static func combine(
        _ rows: UnsafeBufferPointer<UnsafePointer<InterleavedSamples>>, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>, pixels: Int, loops: ReductionLoops
    ) {
        guard let base = rows.baseAddress else { return }
        #if arch(x86_64)
            if loops == .avx2 { return reduction_combine(base, rows.count, weights, result, pixels) }
        #endif
        let half = SampleSums(repeating: 1 &<< Int32(ResamplingKernel.fractionBits - 1))
        let shift = SampleSums(repeating: Int32(ResamplingKernel.fractionBits))
        let count = rows.count
        var pixel = 0
        var to = result
        while pixel < pixels {
            var (one, two, three, four) = (half, half, half, half)
            var pair = 0
            while pair < count {
                let row = base[pair] + pixel
                let weight = weights[pair]
                one = one &+ row[0].weighted(by: weight)
                two = two &+ row[1].weighted(by: weight)
                three = three &+ row[2].weighted(by: weight)
                four = four &+ row[3].weighted(by: weight)
                pair &+= 1
            }
            to[0] = InterleavedSamples(one &>> shift, two &>> shift)
            to[2] = InterleavedSamples(three &>> shift, four &>> shift)
            to += 4
            pixel &+= pixelsAtOnce
        }
    }
}

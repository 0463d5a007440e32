/// Weights for samples that are stored in pairs. The weights of an output sample cover whole pairs. A sample that is in
/// such a pair but not within the kernel has a weight of zero.
struct InterleavedCoefficients {
    /// The largest number of pairs of which an output sample is made.
    let pairs: Int
    /// The index of the first pair of each output sample.
    let starts: [Int]
    /// The index after the last pair of each output sample.
    let ends: [Int]
    /// The weights of each output sample: two for each of `pairs` pairs, repeated for each channel. Those after its
    /// last pair are zero.
    let values: [InterleavedSamples]

    init(_ weights: ResamplingKernel) {
        let starts = weights.starts.map { $0 / 2 }
        let ends = zip(weights.starts, weights.counts).map { ($0 + $1 + 1) / 2 }
        let pairs = zip(starts, ends).map { $1 - $0 }.max() ?? 1
        var values = [InterleavedSamples](repeating: .zero, count: pairs * starts.count)
        for (index, start) in weights.starts.enumerated() {
            let own = weights.values[index * weights.taps..<index * weights.taps + weights.counts[index]]
            // The first sample of the first pair and the second sample of the last pair can be outside the kernel.
            var tap = own.startIndex - start % 2
            for pair in 0..<ends[index] - starts[index] {
                values[index * pairs + pair] = InterleavedSamples(
                    weights: tap < own.startIndex ? 0 : own[tap], tap + 1 < own.endIndex ? own[tap + 1] : 0)
                tap += 2
            }
        }
        self.pairs = pairs
        self.starts = starts
        self.ends = ends
        self.values = values
    }
}

/// Weights for samples that lie in pairs: those of one output sample reach over whole pairs, with zero for a sample
/// that only shares a pair.
struct InterleavedCoefficients {
    /// The most pairs that any output sample is made of.
    let pairs: Int
    /// For each output sample, its first pair.
    let starts: [Int]
    /// For each output sample, the pair after its last.
    let ends: [Int]
    /// For each output sample `pairs` times two weights, repeated for each channel; zero after its last.
    let values: [InterleavedSamples]

    init(_ weights: ResamplingKernel) {
        let starts = weights.starts.map { $0 / 2 }
        let ends = zip(weights.starts, weights.counts).map { ($0 + $1 + 1) / 2 }
        let pairs = zip(starts, ends).map { $1 - $0 }.max() ?? 1
        var values = [InterleavedSamples](repeating: .zero, count: pairs * starts.count)
        for (index, start) in weights.starts.enumerated() {
            let own = weights.values[index * weights.taps..<index * weights.taps + weights.counts[index]]
            // Samples before the first pair's second one, or after the last pair's first one, have no weight.
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

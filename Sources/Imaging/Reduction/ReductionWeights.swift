internal import Foundation

/// The Lanczos-3 weights that make each sample of a shorter line out of samples of a longer one.
///
/// Weights are fixed point with 14 fraction bits; those of one output sample sum to exactly 1, so that an even area stays
/// what it is. Where the kernel reaches over the end of the line it is cut there and made to sum to 1 again.
struct ReductionWeights {
    static let fractionBits = 14

    /// The weights of each output sample: the most source samples that any is made of, rounded up to whole groups.
    let taps: Int
    /// For each output sample, the first source sample and how many there are.
    let starts: [Int]
    let counts: [Int]
    /// For each output sample `taps` weights, zero after the first `count`.
    let values: [Int16]

    /// Lobes on each side of the centre, in output samples.
    private static let lobes = 3.0

    /// - Parameters:
    ///   - count: source samples there are.
    ///   - extent: source samples that the line really covers: up to one less than `count`, where the decoder has
    ///     rounded a fraction up.
    ///   - output: samples to make, at least 1.
    ///   - group: how many taps are taken at once by who uses the weights.
    init(count: Int, extent: Double, output: Int, group: Int) {
        let scale = extent / Double(output)
        let stretch = max(scale, 1)
        let support = Self.lobes * stretch
        var starts: [Int] = []
        var counts: [Int] = []
        var rounded: [[Int16]] = []
        starts.reserveCapacity(output)
        counts.reserveCapacity(output)
        rounded.reserveCapacity(output)
        for index in 0..<output {
            // Sample i covers i to i + 1, so its centre is at i + 0.5.
            let centre = (Double(index) + 0.5) * scale
            let first = min(max(0, Int((centre - support).rounded())), count - 1)
            let last = max(first, min(count - 1, Int((centre + support).rounded()) - 1))
            var exact = (first...last).map { Self.lanczos((Double($0) + 0.5 - centre) / stretch) }
            let sum = exact.reduce(0, +)
            // At the far edge of a line that is all but covered, no sample may be near enough.
            if sum < 0.1 { exact = exact.indices.map { $0 == exact.count - 1 ? 1 : 0 } }
            let weights = Self.fixedPoint(exact, sum: sum < 0.1 ? 1 : sum)
            starts.append(first)
            counts.append(weights.count)
            rounded.append(weights)
        }
        let taps = ((counts.max() ?? 1) + group - 1) / group * group
        var values = [Int16](repeating: 0, count: taps * output)
        for (index, weights) in rounded.enumerated() {
            values.replaceSubrange(index * taps..<index * taps + weights.count, with: weights)
        }
        self.taps = taps
        self.starts = starts
        self.counts = counts
        self.values = values
    }

    /// Rounds the running sum rather than each weight: the total is then exact, and over an even area the errors of
    /// neighbours cancel each other.
    private static func fixedPoint(_ exact: [Double], sum: Double) -> [Int16] {
        let one = Double(1 << fractionBits)
        var running = 0.0
        var before = 0.0
        return exact.map { weight in
            running += weight / sum
            let until = (running * one).rounded()
            defer { before = until }
            return Int16(until - before)
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        if abs(x) >= lobes { return 0 }
        let angle = Double.pi * x
        return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
    }
}

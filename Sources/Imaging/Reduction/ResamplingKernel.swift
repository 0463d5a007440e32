internal import Foundation

/// The Lanczos-3 weights that reduce a line of samples to a shorter one.
///
/// Weights are in fixed point with 14 fraction bits. The weights of one output sample sum to exactly 1, so that an even
/// area does not change. If the kernel extends beyond an end of the line, it is cut there and normalised again.
struct ResamplingKernel {
    static let fractionBits = 14

    /// The largest number of source samples of which an output sample is made.
    let taps: Int
    /// The first source sample of each output sample, and the number of its source samples.
    let starts: [Int]
    let counts: [Int]
    /// The weights of each output sample: `taps` weights, which are zero after the first `counts[i]`.
    let values: [Int16]

    /// The number of lobes on each side of the centre, each as wide as an output sample.
    private static let lobes = 3.0

    /// - Parameters:
    ///   - count: the number of source samples.
    ///   - extent: the number of source samples that the line really covers. If the decoder has rounded a fraction up,
    ///     it is up to 1 less than `count`.
    ///   - output: the number of samples to make, at least 1.
    init(count: Int, extent: Double, output: Int) {
        let scale = extent / Double(output)
        let stretch = max(scale, 1)
        let support = Self.lobes * stretch
        // Sample i covers i to i + 1, so its centre is at i + 0.5.
        let centres = (0..<output).map { (Double($0) + 0.5) * scale }
        let starts = centres.map { min(max(0, Int(($0 - support).rounded())), count - 1) }
        let counts = zip(centres, starts).map { centre, first in
            max(first, min(count - 1, Int((centre + support).rounded()) - 1)) - first + 1
        }
        let taps = counts.max() ?? 1
        var values = [Int16](repeating: 0, count: taps * output)
        var exact = [Double](repeating: 0, count: taps)
        let (step, thirdOfStep) = (Angle(.pi / stretch), Angle(.pi / stretch / Self.lobes))
        for index in 0..<output {
            var sum = 0.0
            let first = (Double(starts[index]) + 0.5 - centres[index]) / stretch
            // The angle addition formula gives the sines from one tap to the next at a fraction of the cost of sin().
            var (angle, thirdOfAngle) = (Angle(.pi * first), Angle(.pi * first / Self.lobes))
            for tap in 0..<counts[index] {
                exact[tap] = Self.lanczos(first + Double(tap) / stretch, angle.sine * thirdOfAngle.sine)
                sum += exact[tap]
                angle.advance(by: step)
                thirdOfAngle.advance(by: thirdOfStep)
            }
            // At the far end of a line that is not covered entirely, it can happen that no sample is near enough.
            if sum < 0.1 {
                for tap in 0..<counts[index] { exact[tap] = tap == counts[index] - 1 ? 1 : 0 }
                sum = 1
            }
            // The running sum is rounded, instead of each weight. The total is then exact, and over an even area the
            // errors of neighbours cancel out.
            var (running, before) = (0.0, 0.0)
            for tap in 0..<counts[index] {
                running += exact[tap] / sum
                let until = (running * Double(1 << Self.fractionBits)).rounded()
                values[index * taps + tap] = Int16(until - before)
                before = until
            }
        }
        self.taps = taps
        self.starts = starts
        self.counts = counts
        self.values = values
    }

    /// - Parameter sines: the product of sin(πx) and sin(πx / lobes).
    private static func lanczos(_ x: Double, _ sines: Double) -> Double {
        // This close to the centre, the kernel is 1 within its precision, and the quotient would consist of rounding
        // errors.
        if abs(x) < 1e-6 { return 1 }
        if abs(x) >= lobes { return 0 }
        return lobes * sines / (.pi * .pi * x * x)
    }

    /// An angle, represented by its sine and cosine so that angles can be added without computing either again.
    private struct Angle {
        var sine, cosine: Double

        init(_ angle: Double) {
            sine = sin(angle)
            cosine = cos(angle)
        }

        mutating func advance(by other: Angle) {
            (sine, cosine) = (
                sine * other.cosine + cosine * other.sine, cosine * other.cosine - sine * other.sine
            )
        }
    }
}

internal import Foundation

/// The Lanczos-3 weights that make each sample of a shorter line out of samples of a longer one.
///
/// Weights are fixed point with 14 fraction bits; those of one output sample sum to exactly 1, so that an even area
/// stays what it is. Where the kernel reaches over the end of the line it is cut there and made to sum to 1 again.
struct ResamplingKernel {
    static let fractionBits = 14

    /// The most source samples that any output sample is made of.
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
            // The angle addition formula gives the sines from tap to tap at a fraction of the cost of sin().
            var (angle, thirdOfAngle) = (Angle(.pi * first), Angle(.pi * first / Self.lobes))
            for tap in 0..<counts[index] {
                exact[tap] = Self.lanczos(first + Double(tap) / stretch, angle.sine * thirdOfAngle.sine)
                sum += exact[tap]
                angle.advance(by: step)
                thirdOfAngle.advance(by: thirdOfStep)
            }
            // At the far edge of a line that is all but covered, no sample may be near enough.
            if sum < 0.1 {
                for tap in 0..<counts[index] { exact[tap] = tap == counts[index] - 1 ? 1 : 0 }
                sum = 1
            }
            // The running sum is rounded rather than each weight: the total is then exact, and over an even area the
            // errors of neighbours cancel each other.
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

    /// - Parameter sines: sin(πx) times sin(πx / lobes).
    private static func lanczos(_ x: Double, _ sines: Double) -> Double {
        // This near to the centre the kernel is 1 within its precision, and the quotient would consist of rounding
        // errors.
        if abs(x) < 1e-6 { return 1 }
        if abs(x) >= lobes { return 0 }
        return lobes * sines / (.pi * .pi * x * x)
    }

    /// An angle by its sine and cosine, so that angles are added without computing either again.
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

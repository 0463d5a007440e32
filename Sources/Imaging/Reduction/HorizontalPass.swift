/// Makes shorter rows out of longer ones, and 8-bit pixels of their samples: two rows at a time, so that each weight,
/// of which there are more than the nearest cache holds, is loaded once for both.
struct HorizontalPass {
    private let weights: InterleavedCoefficients
    private let channels: Int

    /// Pairs of pixels that may be read from a row, with weights of zero after the last that is there.
    let pairsRead: Int

    /// Bytes that may be written after the last pixel.
    static let slack = 1

    /// - Parameters:
    ///   - extent: source pixels that the row really covers.
    ///   - output: pixels to make.
    init(sourceWidth: Int, extent: Double, output: Int, channels: Int) {
        weights = InterleavedCoefficients(ResamplingKernel(count: sourceWidth, extent: extent, output: output))
        self.channels = channels
        pairsRead = (weights.starts.max() ?? 0) + weights.pairs
    }

    /// - Parameters:
    ///   - upper: `pairsRead` pairs of pixels; of the lower row, likewise.
    ///   - first: room for the pixels that are to be made, and for `slack`; `second` likewise.
    func reduce(
        _ upper: UnsafePointer<InterleavedSamples>, _ lower: UnsafePointer<InterleavedSamples>,
        into first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>
    ) {
        if channels == 3 {
            reduce(upper, lower, into: first, second, bytesPerPixel: 3, Self.opaque)
        } else {
            reduce(upper, lower, into: first, second, bytesPerPixel: 4, Self.unpremultiplied)
        }
    }

    @inline(__always)
    private func reduce(
        _ upper: UnsafePointer<InterleavedSamples>, _ lower: UnsafePointer<InterleavedSamples>,
        into first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>, bytesPerPixel: Int,
        _ pixel: (SampleSums) -> UInt32
    ) {
        let half = SampleSums(repeating: 1 &<< Int32(ResamplingKernel.fractionBits - 1))
        let shift = SampleSums(repeating: Int32(ResamplingKernel.fractionBits))
        let count = weights.pairs
        weights.values.withUnsafeBufferPointer { values in
            guard var weight = values.baseAddress else { return }
            var at = 0
            for start in weights.starts {
                let (one, other) = (upper + start, lower + start)
                var (sum, otherSum) = (half, half)
                var pair = 0
                while pair < count {
                    let both = weight[pair]
                    sum = sum &+ one[pair].weighted(by: both)
                    otherSum = otherSum &+ other[pair].weighted(by: both)
                    pair &+= 1
                }
                weight += count
                UnsafeMutableRawPointer(first + at).storeBytes(of: pixel(sum &>> shift), as: UInt32.self)
                UnsafeMutableRawPointer(second + at).storeBytes(of: pixel(otherSum &>> shift), as: UInt32.self)
                at &+= bytesPerPixel
            }
        }
    }

    /// The 8-bit levels of samples, four bytes.
    @inline(__always)
    private static func opaque(_ samples: SampleSums) -> UInt32 {
        ((samples &+ SampleSums(repeating: 32)) &>> SampleSums(repeating: InterleavedSamples.fractionBits)).bytes
    }

    /// The straight RGBA of a premultiplied pixel; transparent black where nothing is visible.
    @inline(__always)
    private static func unpremultiplied(_ samples: SampleSums) -> UInt32 {
        // Next to an edge the kernel overshoots in colour and alpha alike, so alpha is clamped only after the division.
        let alpha = samples[3]
        if alpha == InterleavedSamples.white { return opaque(samples) }
        let alphaLevel = min((alpha &+ 32) &>> InterleavedSamples.fractionBits, 255)
        guard alphaLevel > 0 else { return 0 }
        var levels = ((samples &<< 8) &- samples &+ SampleSums(repeating: alpha / 2)).quotients(by: alpha)
        levels[3] = alphaLevel
        return levels.bytes
    }
}

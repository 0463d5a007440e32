#if arch(x86_64)
    internal import CReduction
#endif

/// Reduces rows to fewer pixels, and converts their samples to 8-bit pixels. It takes two rows at a time, so that each
/// weight is loaded once for both, because there are more weights than the first-level cache holds.
struct HorizontalPass {
    private let weights: InterleavedCoefficients
    private let channels: Int
    private let loops: ReductionLoops

    /// The number of pairs of pixels that are read from a row. Pairs after the last pixel have weights of zero.
    let pairsRead: Int

    /// The number of bytes that can be overwritten after the last pixel.
    static let slack = 1

    /// - Parameters:
    ///   - extent: the number of source pixels that the row really covers.
    ///   - output: the number of pixels to make.
    init(sourceWidth: Int, extent: Double, output: Int, channels: Int, loops: ReductionLoops) {
        weights = InterleavedCoefficients(ResamplingKernel(count: sourceWidth, extent: extent, output: output))
        self.channels = channels
        self.loops = loops
        pairsRead = (weights.starts.max() ?? 0) + weights.pairs
    }

    /// - Parameters:
    ///   - rows: `pairsRead` pairs of pixels of the upper row in even places, and of the lower row in odd places.
    ///   - first: room for the pixels made of the upper row, and for `slack`.
    ///   - second: room for the pixels made of the lower row, and for `slack`.
    ///   - samples: room for the samples of the same pixels, if they are reduced further.
    func reduce(
        _ rows: UnsafePointer<InterleavedSamples>, into first: UnsafeMutablePointer<UInt8>,
        _ second: UnsafeMutablePointer<UInt8>,
        samples: (UnsafeMutablePointer<PixelSamples>, UnsafeMutablePointer<PixelSamples>)? = nil
    ) {
        #if arch(x86_64)
            if loops == .avx2 { return reduceWithAVX2(rows, into: first, second, samples) }
        #endif
        if channels == 3 {
            reduce(rows, into: first, second, samples, bytesPerPixel: 3, Self.opaque)
        } else {
            reduce(rows, into: first, second, samples, bytesPerPixel: 4, Self.unpremultiplied)
        }
    }

    #if arch(x86_64)
        private func reduceWithAVX2(
            _ rows: UnsafePointer<InterleavedSamples>, into first: UnsafeMutablePointer<UInt8>,
            _ second: UnsafeMutablePointer<UInt8>,
            _ samples: (UnsafeMutablePointer<PixelSamples>, UnsafeMutablePointer<PixelSamples>)?
        ) {
            weights.values.withUnsafeBufferPointer { values in
                weights.starts.withUnsafeBufferPointer { starts in
                    var rows = reduction_rows(
                        pairs: rows, starts: starts.baseAddress, weights: values.baseAddress, count: weights.pairs,
                        output: starts.count, levels: (first, second), samples: (samples?.0, samples?.1))
                    if channels == 3 { reduction_opaque(&rows) } else { reduction_premultiplied(&rows) }
                }
            }
        }
    #endif

    @inline(__always)
    private func reduce(
        _ rows: UnsafePointer<InterleavedSamples>,
        into first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>,
        _ samples: (UnsafeMutablePointer<PixelSamples>, UnsafeMutablePointer<PixelSamples>)?, bytesPerPixel: Int,
        _ pixel: (SampleSums) -> UInt32
    ) {
        let half = SampleSums(repeating: 1 &<< Int32(ResamplingKernel.fractionBits - 1))
        let shift = SampleSums(repeating: Int32(ResamplingKernel.fractionBits))
        let count = weights.pairs
        weights.values.withUnsafeBufferPointer { values in
            guard var weight = values.baseAddress else { return }
            var at = 0
            var column = 0
            for start in weights.starts {
                let both = rows + 2 * start
                var (sum, otherSum) = (half, half)
                var pair = 0
                while pair < count {
                    let own = weight[pair]
                    sum = sum &+ both[2 &* pair].weighted(by: own)
                    otherSum = otherSum &+ both[2 &* pair &+ 1].weighted(by: own)
                    pair &+= 1
                }
                weight += count
                (sum, otherSum) = (sum &>> shift, otherSum &>> shift)
                UnsafeMutableRawPointer(first + at).storeBytes(of: pixel(sum), as: UInt32.self)
                UnsafeMutableRawPointer(second + at).storeBytes(of: pixel(otherSum), as: UInt32.self)
                at &+= bytesPerPixel
                if let samples {
                    samples.0[column] = PixelSamples(limiting: sum)
                    samples.1[column] = PixelSamples(limiting: otherSum)
                    column &+= 1
                }
            }
        }
    }

    /// The 8-bit levels of samples, as four bytes.
    @inline(__always)
    private static func opaque(_ samples: SampleSums) -> UInt32 {
        ((samples &+ SampleSums(repeating: 32)) &>> SampleSums(repeating: InterleavedSamples.fractionBits)).bytes
    }

    /// The RGBA, not premultiplied, of a premultiplied pixel; transparent black if nothing is visible.
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

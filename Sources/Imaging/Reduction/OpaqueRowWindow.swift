#if arch(x86_64)
    internal import CReduction
    internal import _Builtin_intrinsics.intel.sse2
#endif

/// A window of RGB rows, which holds them as bytes, with the bytes of two rows interleaved. They are converted to
/// samples only when they are summed, which takes less time than storing samples.
final class OpaqueRowWindow: RowWindow {
    private let pixels: Int
    private let loops: ReductionLoops
    private let bytesPerRow: Int
    /// The number of samples of a row that are summed. It is a multiple of `samplesAtOnce`; samples after the pixels
    /// are zero.
    private let samples: Int
    private let pairs: Int
    /// The pairs of rows, `2 * samples` bytes each.
    private let ring: PixelBuffer<UInt8>
    private let sums: PixelBuffer<Int16>
    private var pairsIn = 0

    private static let samplesAtOnce = 32

    /// - Parameter pairs: the number of pairs of rows that the kernel spans.
    init(pixels: Int, pairs: Int, loops: ReductionLoops) {
        self.pixels = pixels
        self.loops = loops
        self.pairs = pairs
        bytesPerRow = pixels * 3
        let group = Self.samplesAtOnce
        samples = (bytesPerRow + group - 1) / group * group
        ring = PixelBuffer(2 * samples * pairs, zero: 0)
        // The three samples of the last pixel are read as eight.
        sums = PixelBuffer(samples + 8, zero: 0)
    }

    var elementsPerRow: Int { bytesPerRow }

    /// Interleaves two rows. Each pair in the ring has room for at least twice as many bytes.
    func add(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) {
        let to = UnsafeMutableRawPointer(ring.base + pairsIn % pairs * 2 * samples)
        let (one, other) = (UnsafeRawPointer(first), UnsafeRawPointer(second))
        pairsIn += 1
        var at = 0
        while at <= bytesPerRow &- 16 {
            let levels = LevelPairs(
                one.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self),
                other.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self))
            to.storeBytes(of: levels.low, toByteOffset: 2 &* at, as: SIMD16<UInt8>.self)
            to.storeBytes(of: levels.high, toByteOffset: 2 &* at &+ 16, as: SIMD16<UInt8>.self)
            at &+= 16
        }
        while at < bytesPerRow {
            to.storeBytes(of: first[at], toByteOffset: 2 &* at, as: UInt8.self)
            to.storeBytes(of: second[at], toByteOffset: 2 &* at &+ 1, as: UInt8.self)
            at &+= 1
        }
    }

    func combine(
        from first: Int, count: Int, _ weights: UnsafePointer<InterleavedSamples>,
        into result: UnsafeMutablePointer<InterleavedSamples>
    ) {
        withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: count) { pointers in
            guard let base = pointers.baseAddress else { return }
            for index in 0..<count {
                base[index] = UnsafeRawPointer(ring.base + (first + index) % pairs * 2 * samples)
            }
            sum(base, count: count, weights)
        }
        pair(into: result)
    }

    /// Computes the weighted sums of rows.
    ///
    /// - Parameter pairs: pairs of interleaved rows, `2 * samples` bytes each, of which each iteration reads 64.
    private func sum(
        _ pairs: UnsafePointer<UnsafeRawPointer>, count: Int, _ weights: UnsafePointer<InterleavedSamples>
    ) {
        #if arch(x86_64)
            if loops == .avx2 { return reduction_sum(pairs, count, weights, sums.base, samples) }
        #endif
        let result = self.sums.base
        var at = 0
        while at < samples {
            var sums = (EightSums(), EightSums(), EightSums(), EightSums())
            var index = 0
            while index < count {
                let levels = pairs[index] + 2 &* at
                let weight = weights[index]
                sums.0.add(levels, weight)
                sums.1.add(levels + 16, weight)
                sums.2.add(levels + 32, weight)
                sums.3.add(levels + 48, weight)
                index &+= 1
            }
            let to = UnsafeMutableRawPointer(result + at)
            to.storeBytes(of: sums.0.samples, as: SIMD8<Int16>.self)
            to.storeBytes(of: sums.1.samples, toByteOffset: 16, as: SIMD8<Int16>.self)
            to.storeBytes(of: sums.2.samples, toByteOffset: 32, as: SIMD8<Int16>.self)
            to.storeBytes(of: sums.3.samples, toByteOffset: 48, as: SIMD8<Int16>.self)
            at &+= Self.samplesAtOnce
        }
    }

    /// Interleaves the sums of neighbouring pixels.
    private func pair(into result: UnsafeMutablePointer<InterleavedSamples>) {
        #if arch(x86_64)
            if loops == .avx2 { return reduction_pair(sums.base, result, pixels) }
        #endif
        var from = UnsafeRawPointer(sums.base)
        for pair in 0..<(pixels + 1) / 2 {
            result[2 &* pair] = InterleavedSamples(
                interleaving: from.loadUnaligned(as: SIMD8<Int16>.self),
                (from + 6).loadUnaligned(as: SIMD8<Int16>.self))
            from += 12
        }
    }
}

/// Sixteen levels of each of two rows, interleaved.
private struct LevelPairs {
    let low, high: SIMD16<UInt8>

    @inline(__always)
    init(_ upper: SIMD16<UInt8>, _ lower: SIMD16<UInt8>) {
        #if arch(x86_64)
            let (upper, lower) = (unsafeBitCast(upper, to: __m128i.self), unsafeBitCast(lower, to: __m128i.self))
            low = unsafeBitCast(_mm_unpacklo_epi8(upper, lower), to: SIMD16<UInt8>.self)
            high = unsafeBitCast(_mm_unpackhi_epi8(upper, lower), to: SIMD16<UInt8>.self)
        #else
            var (low, high) = (SIMD16<UInt8>(), SIMD16<UInt8>())
            (low.evenHalf, low.oddHalf) = (upper.lowHalf, lower.lowHalf)
            (high.evenHalf, high.oddHalf) = (upper.highHalf, lower.highHalf)
            (self.low, self.high) = (low, high)
        #endif
    }
}

/// The sums of eight samples over several rows.
private struct EightSums {
    // Levels have no fraction bits yet, so fewer bits are shifted out than in the horizontal pass.
    private static let shift = Int32(ResamplingKernel.fractionBits) - InterleavedSamples.fractionBits

    private var low = SampleSums(repeating: 1 &<< (Self.shift &- 1))
    private var high = SampleSums(repeating: 1 &<< (Self.shift &- 1))

    @inline(__always) init() {}

    /// - Parameter levels: eight levels of each of two rows, interleaved.
    @inline(__always)
    mutating func add(_ levels: UnsafeRawPointer, _ weight: InterleavedSamples) {
        let levels = levels.loadUnaligned(as: SIMD16<UInt8>.self)
        #if arch(x86_64)
            let (bytes, zero) = (unsafeBitCast(levels, to: __m128i.self), _mm_setzero_si128())
            low = low &+ unsafeBitCast(_mm_unpacklo_epi8(bytes, zero), to: InterleavedSamples.self).weighted(by: weight)
            high =
                high &+ unsafeBitCast(_mm_unpackhi_epi8(bytes, zero), to: InterleavedSamples.self).weighted(by: weight)
        #else
            low = low &+ InterleavedSamples(truncatingIfNeeded: levels.lowHalf).weighted(by: weight)
            high = high &+ InterleavedSamples(truncatingIfNeeded: levels.highHalf).weighted(by: weight)
        #endif
    }

    @inline(__always)
    var samples: SIMD8<Int16> {
        let shifts = SampleSums(repeating: Self.shift)
        return (low &>> shifts).narrowed(with: high &>> shifts)
    }
}

extension SampleSums {
    /// Narrows these four sums and four others to 16 bits each, which must suffice for their values.
    @inline(__always)
    fileprivate func narrowed(with others: SampleSums) -> SIMD8<Int16> {
        #if arch(x86_64)
            unsafeBitCast(
                _mm_packs_epi32(unsafeBitCast(self, to: __m128i.self), unsafeBitCast(others, to: __m128i.self)),
                to: SIMD8<Int16>.self)
        #else
            SIMD8(lowHalf: SIMD4(truncatingIfNeeded: self), highHalf: SIMD4(truncatingIfNeeded: others))
        #endif
    }
}

extension InterleavedSamples {
    /// The first four samples of each of two vectors, interleaved.
    @inline(__always)
    fileprivate init(interleaving even: SIMD8<Int16>, _ odd: SIMD8<Int16>) {
        #if arch(x86_64)
            self = unsafeBitCast(
                _mm_unpacklo_epi16(unsafeBitCast(even, to: __m128i.self), unsafeBitCast(odd, to: __m128i.self)),
                to: InterleavedSamples.self)
        #else
            self.init(evenHalf: even.lowHalf, oddHalf: odd.lowHalf)
        #endif
    }
}

#if arch(x86_64)
    internal import _Builtin_intrinsics.intel.sse2
#endif

/// Rows of RGB as they are: they become samples only on their way into the sums, where that costs less than to store them.
final class OpaqueRowRing: RowRing {
    private let pixels: Int
    private let bytesPerRow: Int
    /// Bytes from row to row in the ring: a multiple of what is taken at once, those after the pixels zero.
    private let stride: Int
    private let pairs: Int
    private let rows: PixelBuffer<UInt8>
    private let sums: PixelBuffer<Int16>
    private var rowsIn = 0

    /// - Parameter pairs: of rows that the kernel spans.
    init(pixels: Int, pairs: Int) {
        self.pixels = pixels
        self.pairs = pairs
        bytesPerRow = pixels * 3
        let group = MemoryLayout<SIMD16<UInt8>>.size
        stride = (bytesPerRow + group - 1) / group * group
        rows = PixelBuffer(stride * 2 * pairs, zero: 0)
        // Eight are read for the three of the last pixel.
        sums = PixelBuffer(stride + 8, zero: 0)
    }

    func add(_ row: UnsafePointer<UInt8>, isLast: Bool) {
        (rows.base + rowsIn % (2 * pairs) * stride).update(from: row, count: bytesPerRow)
        rowsIn += 1
    }

    func combine(
        from first: Int, _ weights: UnsafePointer<SamplePairs>, into result: UnsafeMutablePointer<SamplePairs>
    ) {
        withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: pairs) { pointers in
            guard let base = pointers.baseAddress else { return }
            for index in 0..<pairs {
                base[index] = UnsafeRawPointer(rows.base + (first + index) % pairs * 2 * stride)
            }
            Self.sum(base, count: pairs, stride: stride, weights, into: sums.base)
        }
        Self.pair(sums.base, into: result, pixels: pixels)
    }

    /// - Parameters:
    ///   - pairs: the first row of each pair; the second comes after `stride` bytes.
    ///   - result: room for `stride` samples.
    private static func sum(
        _ pairs: UnsafePointer<UnsafeRawPointer>, count: Int, stride: Int, _ weights: UnsafePointer<SamplePairs>,
        into result: UnsafeMutablePointer<Int16>
    ) {
        // Levels have no fraction bits yet, so that less is shifted out than by the horizontal pass.
        let shift = Int32(ReductionWeights.fractionBits) - SamplePairs.fractionBits
        let half = SampleSums(repeating: 1 &<< (shift &- 1))
        let shifts = SampleSums(repeating: shift)
        let to = UnsafeMutableRawPointer(result)
        var at = 0
        while at < stride {
            var (one, two, three, four) = (half, half, half, half)
            var index = 0
            while index < count {
                let row = pairs[index] + at
                let weight = weights[index]
                let levels = LevelPairs(
                    row.loadUnaligned(as: SIMD16<UInt8>.self), (row + stride).loadUnaligned(as: SIMD16<UInt8>.self))
                one = one &+ levels.first.weighted(by: weight)
                two = two &+ levels.second.weighted(by: weight)
                three = three &+ levels.third.weighted(by: weight)
                four = four &+ levels.fourth.weighted(by: weight)
                index &+= 1
            }
            to.storeBytes(
                of: (one &>> shifts).narrowed(with: two &>> shifts), toByteOffset: 2 &* at, as: SIMD8<Int16>.self)
            to.storeBytes(
                of: (three &>> shifts).narrowed(with: four &>> shifts), toByteOffset: 2 &* at &+ 16,
                as: SIMD8<Int16>.self)
            at &+= 16
        }
    }

    /// Puts the samples of neighbouring pixels side by side.
    private static func pair(
        _ samples: UnsafePointer<Int16>, into result: UnsafeMutablePointer<SamplePairs>, pixels: Int
    ) {
        var from = UnsafeRawPointer(samples)
        for pair in 0..<(pixels + 1) / 2 {
            result[pair] = SamplePairs(
                interleaving: from.loadUnaligned(as: SIMD8<Int16>.self),
                (from + 6).loadUnaligned(as: SIMD8<Int16>.self))
            from += 12
        }
    }
}

/// Sixteen levels of each of two rows as pairs of samples without fraction bits.
private struct LevelPairs {
    let first, second, third, fourth: SamplePairs

    @inline(__always)
    init(_ upper: SIMD16<UInt8>, _ lower: SIMD16<UInt8>) {
        #if arch(x86_64)
            let (upper, lower) = (unsafeBitCast(upper, to: __m128i.self), unsafeBitCast(lower, to: __m128i.self))
            let zero = _mm_setzero_si128()
            let (left, right) = (_mm_unpacklo_epi8(upper, lower), _mm_unpackhi_epi8(upper, lower))
            first = unsafeBitCast(_mm_unpacklo_epi8(left, zero), to: SamplePairs.self)
            second = unsafeBitCast(_mm_unpackhi_epi8(left, zero), to: SamplePairs.self)
            third = unsafeBitCast(_mm_unpacklo_epi8(right, zero), to: SamplePairs.self)
            fourth = unsafeBitCast(_mm_unpackhi_epi8(right, zero), to: SamplePairs.self)
        #else
            func pairs(_ upper: SIMD4<UInt8>, _ lower: SIMD4<UInt8>) -> SamplePairs {
                var levels = SIMD8<UInt8>()
                levels.evenHalf = upper
                levels.oddHalf = lower
                return SamplePairs(truncatingIfNeeded: levels)
            }
            first = pairs(upper.lowHalf.lowHalf, lower.lowHalf.lowHalf)
            second = pairs(upper.lowHalf.highHalf, lower.lowHalf.highHalf)
            third = pairs(upper.highHalf.lowHalf, lower.highHalf.lowHalf)
            fourth = pairs(upper.highHalf.highHalf, lower.highHalf.highHalf)
        #endif
    }
}

extension SampleSums {
    /// These four and four others with 16 bits, which must be enough for them.
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

extension SamplePairs {
    /// The first four of each of eight samples, side by side.
    @inline(__always)
    fileprivate init(interleaving even: SIMD8<Int16>, _ odd: SIMD8<Int16>) {
        #if arch(x86_64)
            self = unsafeBitCast(
                _mm_unpacklo_epi16(unsafeBitCast(even, to: __m128i.self), unsafeBitCast(odd, to: __m128i.self)),
                to: SamplePairs.self)
        #else
            self.init(evenHalf: even.lowHalf, oddHalf: odd.lowHalf)
        #endif
    }
}

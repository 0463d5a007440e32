#if arch(x86_64)
    internal import _Builtin_intrinsics.intel.sse2
#endif

/// Two samples of each of four channels, interleaved: red, red, green, green, blue, blue, alpha, alpha. The two samples
/// are from neighbouring rows, or from neighbouring pixels of a row. For RGB, the alpha samples are undefined.
///
/// Samples have 16 bits, of which 6 are fraction bits. 0 is black and 16320 is white, which leaves room for the
/// overshoot of the Lanczos kernel. Colours are premultiplied.
typealias InterleavedSamples = SIMD8<Int16>

/// One sample of each of four channels, of a pixel that is reduced further.
typealias PixelSamples = SIMD4<Int16>

/// The sums of the weighted samples of four channels.
typealias SampleSums = SIMD4<Int32>

extension InterleavedSamples {
    static let fractionBits: Int32 = 6
    static let white: Int32 = 255 << 6

    /// The weighted sum of the two samples of each channel. `weights` contains the two weights four times.
    ///
    /// Processors have a single instruction for this sum, which the optimiser does not find in this form.
    @inline(__always)
    func weighted(by weights: InterleavedSamples) -> SampleSums {
        #if arch(x86_64)
            unsafeBitCast(
                _mm_madd_epi16(
                    unsafeBitCast(self, to: __m128i.self), unsafeBitCast(weights, to: __m128i.self)),
                to: SampleSums.self)
        #else
            SampleSums(truncatingIfNeeded: evenHalf) &* SampleSums(truncatingIfNeeded: weights.evenHalf)
                &+ SampleSums(truncatingIfNeeded: oddHalf) &* SampleSums(truncatingIfNeeded: weights.oddHalf)
        #endif
    }

    /// Two weights, repeated for each channel, for `weighted(by:)`.
    init(weights first: Int16, _ second: Int16) {
        self.init(first, second, first, second, first, second, first, second)
    }

    /// The samples of two pixels with 8-bit levels. A pixel has four bytes, of which the first in memory is red.
    @inline(__always)
    init(levels first: UInt32, _ second: UInt32) {
        #if arch(x86_64)
            let bytes = _mm_unpacklo_epi8(
                _mm_cvtsi32_si128(Int32(bitPattern: first)), _mm_cvtsi32_si128(Int32(bitPattern: second)))
            self = unsafeBitCast(_mm_unpacklo_epi8(bytes, _mm_setzero_si128()), to: InterleavedSamples.self) &<< 6
        #else
            var levels = SIMD8<UInt8>()
            levels.evenHalf = unsafeBitCast(first, to: SIMD4<UInt8>.self)
            levels.oddHalf = unsafeBitCast(second, to: SIMD4<UInt8>.self)
            self = InterleavedSamples(truncatingIfNeeded: levels) &<< 6
        #endif
    }

    /// The samples of two pixels, interleaved.
    @inline(__always)
    init(_ first: PixelSamples, _ second: PixelSamples) {
        #if arch(x86_64)
            self = unsafeBitCast(
                _mm_unpacklo_epi16(
                    unsafeBitCast(SIMD8(lowHalf: first, highHalf: .zero), to: __m128i.self),
                    unsafeBitCast(SIMD8(lowHalf: second, highHalf: .zero), to: __m128i.self)),
                to: InterleavedSamples.self)
        #else
            self.init(evenHalf: first, oddHalf: second)
        #endif
    }

    /// The lower 16 bits of the samples of two pixels, four each, interleaved.
    @inline(__always)
    init(_ first: SampleSums, _ second: SampleSums) {
        let low = SampleSums(repeating: 0xFFFF)
        self = unsafeBitCast((first & low) | (second &<< 16), to: InterleavedSamples.self)
    }
}

extension SampleSums {
    /// The four sums, clamped to 0...255, as bytes.
    ///
    /// Processors have instructions that both narrow and clamp, which the optimiser does not find in this form.
    @inline(__always)
    var bytes: UInt32 {
        #if arch(x86_64)
            let sums = unsafeBitCast(self, to: __m128i.self)
            let words = _mm_packs_epi32(sums, sums)
            return UInt32(bitPattern: _mm_cvtsi128_si32(_mm_packus_epi16(words, words)))
        #else
            let clamped = clamped(lowerBound: .zero, upperBound: SampleSums(repeating: 255))
            return unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: clamped), to: UInt32.self)
        #endif
    }

    /// Four 8-bit levels, of which the first in memory is red.
    @inline(__always)
    init(levels: UInt32) {
        #if arch(x86_64)
            let words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(Int32(bitPattern: levels)), _mm_setzero_si128())
            self = unsafeBitCast(_mm_unpacklo_epi16(words, _mm_setzero_si128()), to: SampleSums.self)
        #else
            self.init(truncatingIfNeeded: unsafeBitCast(levels, to: SIMD4<UInt8>.self))
        #endif
    }

    /// The four numbers multiplied by a factor. The numbers and the factor have at most 15 bits.
    @inline(__always)
    func products(with factor: Int32) -> SampleSums {
        #if arch(x86_64)
            // Processors multiply pairs of 16-bit numbers at once. The upper numbers of the pairs are zero here.
            unsafeBitCast(
                _mm_madd_epi16(
                    unsafeBitCast(self, to: __m128i.self),
                    unsafeBitCast(SampleSums(repeating: factor), to: __m128i.self)), to: SampleSums.self)
        #else
            self &* SampleSums(repeating: factor)
        #endif
    }

    /// The four numbers divided by a divisor and rounded towards zero, as in integer division.
    ///
    /// Processors divide four numbers at once only in floating point. The result is exact here, because integers below
    /// 2^24 are not rounded, and no quotient is rounded as far as the next integer.
    ///
    /// - Parameter divisor: the divisor, at least 1. The sum of the divisor and each of the four numbers is within
    ///   ±2^24.
    @inline(__always)
    func quotients(by divisor: Int32) -> SampleSums {
        #if arch(x86_64)
            let numbers = _mm_cvtepi32_ps(unsafeBitCast(self, to: __m128i.self))
            let quotients = numbers / SIMD4<Float>(repeating: Float(divisor))
            return unsafeBitCast(_mm_cvttps_epi32(quotients), to: SampleSums.self)
        #else
            return SampleSums(self[0] / divisor, self[1] / divisor, self[2] / divisor, self[3] / divisor)
        #endif
    }
}

extension PixelSamples {
    /// The overshoot that a sample keeps on both sides, 120 levels. A kernel's weights add up to at most 1.27, and the
    /// negative ones to 0.27, so that a further reduction of such samples stays within 16 bits.
    private static let overshoot: Int32 = 120 << 6

    /// - Parameter samples: the samples of a pixel as sums with the fraction bits of samples.
    @inline(__always)
    init(limiting samples: SampleSums) {
        let limited = samples.clamped(
            lowerBound: SampleSums(repeating: -Self.overshoot),
            upperBound: SampleSums(repeating: InterleavedSamples.white + Self.overshoot))
        self.init(truncatingIfNeeded: limited)
    }
}

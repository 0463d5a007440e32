#include "reduction_avx2.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 static inline __attribute__((always_inline, target("avx2")))

/* The constants of ResamplingKernel.swift and InterleavedSamples.swift. */
enum { WEIGHT_BITS = 14, SAMPLE_BITS = 6, WHITE = 255 << SAMPLE_BITS, OVERSHOOT = 120 << SAMPLE_BITS };

bool reduction_has_avx2(void) { return __builtin_cpu_supports("avx2"); }

INLINE_AVX2 __m256i load(const void *from) { return _mm256_loadu_si256(from); }

INLINE_AVX2 void store(void *to, __m256i value) { _mm256_storeu_si256(to, value); }

/* Returns two copies of a pair of weights, which has four copies of itself. */
INLINE_AVX2 __m256i load_weight(const interleaved_samples *from) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

/* Adds the weighted sums of eight levels of each of two rows. */
INLINE_AVX2 __m256i add_levels(__m256i sum, const uint8_t *levels, __m256i weight) {
    __m256i samples = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)levels));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(samples, weight));
}

/* Narrows sixteen sums to samples. Levels have no fraction bits, so fewer bits are shifted out than elsewhere. */
INLINE_AVX2 __m256i narrowed(__m256i low, __m256i high) {
    enum { SHIFT = WEIGHT_BITS - SAMPLE_BITS };
    __m256i packed = _mm256_packs_epi32(_mm256_srai_epi32(low, SHIFT), _mm256_srai_epi32(high, SHIFT));
    return _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0));
}

AVX2 void reduction_sum(
    const void *_Nonnull const *_Nonnull pairs, size_t count, const interleaved_samples *weights, int16_t *result,
    size_t samples) {
    const __m256i half = _mm256_set1_epi32(1 << (WEIGHT_BITS - SAMPLE_BITS - 1));
    for (size_t at = 0; at < samples; at += 32) {
        __m256i one = half, two = half, three = half, four = half;
        for (size_t index = 0; index < count; index++) {
            const uint8_t *levels = (const uint8_t *)pairs[index] + 2 * at;
            __m256i weight = load_weight(weights + index);
            one = add_levels(one, levels, weight);
            two = add_levels(two, levels + 16, weight);
            three = add_levels(three, levels + 32, weight);
            four = add_levels(four, levels + 48, weight);
        }
        store(result + at, narrowed(one, two));
        store(result + at + 16, narrowed(three, four));
    }
}

AVX2 void reduction_pair(const int16_t *samples, interleaved_samples *result, size_t pixels) {
    /* The samples of the two pixels, which are the first six, next to each other. */
    const __m128i order = _mm_setr_epi8(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 6, 7, 12, 13);
    for (size_t pair = 0; pair < (pixels + 1) / 2; pair++) {
        __m128i both = _mm_loadu_si128((const __m128i *)(samples + 6 * pair));
        _mm_storeu_si128((__m128i *)(result + 2 * pair), _mm_shuffle_epi8(both, order));
    }
}

/* Adds the weighted sums of two pixels. */
INLINE_AVX2 __m256i add_samples(__m256i sum, const interleaved_samples *samples, __m256i weight) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(load(samples), weight));
}

AVX2 void reduction_combine(
    const interleaved_samples *_Nonnull const *_Nonnull rows, size_t count, const interleaved_samples *weights,
    interleaved_samples *result, size_t pixels) {
    const __m256i half = _mm256_set1_epi32(1 << (WEIGHT_BITS - 1));
    for (size_t pixel = 0; pixel < pixels; pixel += 4) {
        __m256i low = half, high = half;
        for (size_t pair = 0; pair < count; pair++) {
            const interleaved_samples *row = rows[pair] + pixel;
            __m256i weight = load_weight(weights + pair);
            low = add_samples(low, row, weight);
            high = add_samples(high, row + 2, weight);
        }
        low = _mm256_srai_epi32(low, WEIGHT_BITS);
        high = _mm256_srai_epi32(high, WEIGHT_BITS);
        __m256i even = _mm256_permute2x128_si256(low, high, 0x20), odd = _mm256_permute2x128_si256(low, high, 0x31);
        __m256i both = _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xAA);
        _mm_storeu_si128((__m128i *)(result + pixel), _mm256_castsi256_si128(both));
        _mm_storeu_si128((__m128i *)(result + pixel + 2), _mm256_extracti128_si256(both, 1));
    }
}

/* The quotients of eight numbers and divisors, which are exact for the reasons that SampleSums.quotients gives. */
INLINE_AVX2 __m256i quotients(__m256i numbers, __m256i divisors) {
    return _mm256_cvttps_epi32(_mm256_div_ps(_mm256_cvtepi32_ps(numbers), _mm256_cvtepi32_ps(divisors)));
}

/* The samples of a pixel of the upper row and of one of the lower row, as 32-bit numbers. */
INLINE_AVX2 __m256i premultiplied(uint32_t above, uint32_t below) {
    const __m256i alphas = _mm256_setr_epi8(
        3, -1, -1, -1, 3, -1, -1, -1, 3, -1, -1, -1, 3, -1, -1, -1, 7, -1, -1, -1, 7, -1, -1, -1, 7, -1, -1, -1, 7, -1,
        -1, -1);
    __m128i pixels = _mm_set_epi32(0, 0, (int)below, (int)above);
    __m256i levels = _mm256_blend_epi32(_mm256_cvtepu8_epi32(pixels), _mm256_set1_epi32(255), 0x88);
    __m256i alpha = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(pixels), alphas);
    __m256i products = _mm256_slli_epi32(_mm256_madd_epi16(levels, alpha), SAMPLE_BITS);
    return quotients(_mm256_add_epi32(products, _mm256_set1_epi32(127)), _mm256_set1_epi32(255));
}

AVX2 void reduction_premultiply(
    const uint8_t *first, const uint8_t *second, interleaved_samples *pairs, size_t pixels) {
    for (size_t pixel = 0; pixel < pixels; pixel++) {
        uint32_t above, below;
        memcpy(&above, first + 4 * pixel, sizeof above);
        memcpy(&below, second + 4 * pixel, sizeof below);
        __m128i samples;
        if ((above & below) >> 24 == 255) {
            __m128i levels = _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)above), _mm_cvtsi32_si128((int)below));
            samples = _mm_slli_epi16(_mm_cvtepu8_epi16(levels), SAMPLE_BITS);
        } else {
            __m256i both = premultiplied(above, below);
            __m128i lower = _mm_slli_epi32(_mm256_extracti128_si256(both, 1), 16);
            samples = _mm_or_si128(_mm256_castsi256_si128(both), lower);
        }
        _mm_storeu_si128((__m128i *)(pairs + pixel), samples);
    }
}

INLINE_AVX2 __m256i opaque(__m256i samples) {
    return _mm256_srai_epi32(_mm256_add_epi32(samples, _mm256_set1_epi32(1 << (SAMPLE_BITS - 1))), SAMPLE_BITS);
}

/* The RGBA of two premultiplied pixels, not premultiplied: see HorizontalPass.unpremultiplied. */
INLINE_AVX2 __m256i unpremultiplied(__m256i samples) {
    __m256i alpha = _mm256_shuffle_epi32(samples, _MM_SHUFFLE(3, 3, 3, 3));
    __m256i is_opaque = _mm256_cmpeq_epi32(alpha, _mm256_set1_epi32(WHITE));
    if (_mm256_movemask_epi8(is_opaque) == -1) return opaque(samples);
    __m256i alpha_levels = _mm256_min_epi32(opaque(alpha), _mm256_set1_epi32(255));
    __m256i is_visible = _mm256_cmpgt_epi32(alpha_levels, _mm256_setzero_si256());
    __m256i numbers = _mm256_add_epi32(
        _mm256_sub_epi32(_mm256_slli_epi32(samples, 8), samples), _mm256_srli_epi32(alpha, 1));
    __m256i levels = _mm256_blend_epi32(quotients(numbers, alpha), alpha_levels, 0x88);
    return _mm256_blendv_epi8(_mm256_and_si256(levels, is_visible), opaque(samples), is_opaque);
}

INLINE_AVX2 void store_levels(const reduction_rows *rows, size_t at, __m256i sums) {
    __m256i words = _mm256_packs_epi32(sums, sums), bytes = _mm256_packus_epi16(words, words);
    int upper = _mm256_extract_epi32(bytes, 0), lower = _mm256_extract_epi32(bytes, 4);
    memcpy(rows->levels[0] + at, &upper, sizeof upper);
    memcpy(rows->levels[1] + at, &lower, sizeof lower);
}

INLINE_AVX2 void store_samples(const reduction_rows *rows, size_t column, __m256i sums) {
    __m256i words = _mm256_packs_epi32(sums, sums);
    words = _mm256_max_epi16(words, _mm256_set1_epi16(-OVERSHOOT));
    words = _mm256_min_epi16(words, _mm256_set1_epi16(WHITE + OVERSHOOT));
    _mm_storel_epi64((__m128i *)(rows->samples[0] + column), _mm256_castsi256_si128(words));
    _mm_storel_epi64((__m128i *)(rows->samples[1] + column), _mm256_extracti128_si256(words, 1));
}

INLINE_AVX2 void reduce(const reduction_rows *rows, bool is_opaque) {
    const __m256i half = _mm256_set1_epi32(1 << (WEIGHT_BITS - 1));
    const interleaved_samples *weights = rows->weights;
    for (size_t column = 0; column < rows->output; column++) {
        const interleaved_samples *pairs = rows->pairs + 2 * rows->starts[column];
        __m256i sums = half;
        for (size_t pair = 0; pair < rows->count; pair++)
            sums = add_samples(sums, pairs + 2 * pair, load_weight(weights + pair));
        weights += rows->count;
        sums = _mm256_srai_epi32(sums, WEIGHT_BITS);
        store_levels(rows, column * (is_opaque ? 3 : 4), is_opaque ? opaque(sums) : unpremultiplied(sums));
        if (rows->samples[0] != NULL) store_samples(rows, column, sums);
    }
}

AVX2 void reduction_opaque(const reduction_rows *rows) { reduce(rows, true); }

AVX2 void reduction_premultiplied(const reduction_rows *rows) { reduce(rows, false); }

#endif

#ifndef REDUCTION_AVX2_H
#define REDUCTION_AVX2_H

/* The loops of the reduction for processors with AVX2, which compute twice as many samples at once. Each has the same
   result as the loop in Swift that calls it, bit by bit, and that runs on all other processors. They are in C because
   Swift can't compile a function for a processor of its own. */

#if defined(__x86_64__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Only pointers to pointers say that they are never NULL: Swift can't pass its own otherwise. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"

/* The types of InterleavedSamples.swift. */
typedef int16_t interleaved_samples __attribute__((ext_vector_type(8)));
typedef int16_t pixel_samples __attribute__((ext_vector_type(4)));

/* Returns whether the processor and the system have AVX2. */
bool reduction_has_avx2(void);

/* OpaqueRowWindow.sum: the weighted sums of `count` pairs of interleaved rows, 2 * `samples` bytes each. `samples` is a
   multiple of 32. */
void reduction_sum(
    const void *_Nonnull const *_Nonnull pairs, size_t count, const interleaved_samples *weights, int16_t *result,
    size_t samples);

/* OpaqueRowWindow.pair: RGB samples to one pair of pixels in every second place of `result`. Up to 5 samples after the
   last pixel are read. */
void reduction_pair(const int16_t *samples, interleaved_samples *result, size_t pixels);

/* VerticalPass.combine: the weighted sums of `count` pairs of rows, one pair for two pixels in every second place of
   `result`. `pixels` is a multiple of 4. */
void reduction_combine(
    const interleaved_samples *_Nonnull const *_Nonnull rows, size_t count, const interleaved_samples *weights,
    interleaved_samples *result, size_t pixels);

/* PairedRows.premultiply. */
void reduction_premultiply(
    const uint8_t *first, const uint8_t *second, interleaved_samples *pairs, size_t pixels);

/* The rows that a horizontal pass reads and writes. */
typedef struct reduction_rows {
    const interleaved_samples *pairs;  /* those of the upper row in the even places, of the lower row in the odd ones */
    const intptr_t *starts;            /* the first pair of each output pixel */
    const interleaved_samples *weights;
    size_t count;                      /* pairs of each output pixel */
    size_t output;                     /* output pixels */
    uint8_t *levels[2];                /* room for their levels and a byte */
    pixel_samples *samples[2];         /* room for their samples, or NULL */
} reduction_rows;

/* HorizontalPass.reduce for RGB and for RGBA. */
void reduction_opaque(const reduction_rows *rows);
void reduction_premultiplied(const reduction_rows *rows);

#pragma clang diagnostic pop

#endif
#endif

#include "png_filter.h"

#include <string.h>

/* Compilers map these types to the machine's vector registers. */
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef int8_t signed_bytes __attribute__((vector_size(16)));
typedef uint16_t sums __attribute__((vector_size(16)));
typedef int16_t samples __attribute__((vector_size(32)));

enum { VECTOR = sizeof(bytes), FILTER_COUNT = 5 };

/* Sixteen bytes of a row to filter, and for each of them the byte to its left, above it, and above to its left. */
typedef struct neighbourhood {
    bytes own, left, above, corner;
} neighbourhood;

static inline bytes load(const uint8_t *from) {
    bytes value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline neighbourhood neighbours(const uint8_t *row, const uint8_t *prior, size_t at) {
    return (neighbourhood){
        .own = load(row + at), .left = load(row + at - FILTERED_PIXEL),
        .above = load(prior + at), .corner = load(prior + at - FILTERED_PIXEL)};
}

/* Returns the Paeth predictor (§9.4) of sixteen bytes. */
static inline bytes nearest(neighbourhood near) {
    samples left = __builtin_convertvector(near.left, samples), above = __builtin_convertvector(near.above, samples);
    samples corner = __builtin_convertvector(near.corner, samples);
    samples to_left = above - corner, to_above = left - corner, to_corner = to_left + to_above;
    to_left = (to_left ^ (to_left < 0)) - (to_left < 0);
    to_above = (to_above ^ (to_above < 0)) - (to_above < 0);
    to_corner = (to_corner ^ (to_corner < 0)) - (to_corner < 0);
    samples is_left = (to_left <= to_above) & (to_left <= to_corner), is_above = to_above <= to_corner;
    samples found = (left & is_left) | (~is_left & ((above & is_above) | (corner & ~is_above)));
    return __builtin_convertvector(found, bytes);
}

static inline __attribute__((always_inline)) bytes filtered(neighbourhood near, int type) {
    switch (type) {
    case 1: return near.own - near.left;
    case 2: return near.own - near.above;
    case 3: return near.own - ((near.left & near.above) + ((near.left ^ near.above) >> 1));
    case 4: return near.own - nearest(near);
    default: return near.own;
    }
}

/* Returns the absolute values of sixteen bytes, taken as signed, and added in pairs. */
static inline sums magnitude(bytes values) {
    bytes sign = (bytes)((signed_bytes)values < 0);
    sums pairs = (sums)((values ^ sign) - sign);
    return (pairs & 0xFF) + (pairs >> 8);
}

static int smallest(const uint8_t *row, const uint8_t *prior, size_t count) {
    enum { VECTORS_AT_ONCE = 128 };  /* the sums of pairs over this many vectors stay below 65536 */
    uint64_t totals[FILTER_COUNT] = {0};
    for (size_t start = 0; start < count; start += VECTORS_AT_ONCE * VECTOR) {
        size_t end = start + VECTORS_AT_ONCE * VECTOR < count ? start + VECTORS_AT_ONCE * VECTOR : count;
        sums part[FILTER_COUNT] = {0};
        for (size_t at = start; at < end; at += VECTOR) {
            neighbourhood near = neighbours(row, prior, at);
            part[0] += magnitude(filtered(near, 0));
            part[1] += magnitude(filtered(near, 1));
            part[2] += magnitude(filtered(near, 2));
            part[3] += magnitude(filtered(near, 3));
            part[4] += magnitude(filtered(near, 4));
        }
        for (int type = 0; type < FILTER_COUNT; type++)
            for (size_t i = 0; i < sizeof(sums) / sizeof(uint16_t); i++) totals[type] += part[type][i];
    }
    int best = 0;
    for (int type = 1; type < FILTER_COUNT; type++)
        if (totals[type] < totals[best]) best = type;
    return best;
}

static inline __attribute__((always_inline)) void apply(
    const uint8_t *row, const uint8_t *prior, size_t count, uint8_t *result, int type) {
    for (size_t at = 0; at < count; at += VECTOR) {
        bytes values = filtered(neighbours(row, prior, at), type);
        memcpy(result + at, &values, sizeof values);
    }
}

void png_filter_row(const uint8_t *row, const uint8_t *prior, size_t count, uint8_t *result) {
    int type = smallest(row, prior, count);
    *result++ = (uint8_t)type;
    switch (type) {
    case 1: apply(row, prior, count, result, 1); break;
    case 2: apply(row, prior, count, result, 2); break;
    case 3: apply(row, prior, count, result, 3); break;
    case 4: apply(row, prior, count, result, 4); break;
    default: apply(row, prior, count, result, 0); break;
    }
}

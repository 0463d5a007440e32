#include "png_filter.h"

#include <string.h>

/* Compilers map these types to the machine's vector registers. */
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint16_t sums __attribute__((vector_size(16)));

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

/* Returns the bytes of `one` where the mask is set, and those of `other` elsewhere. */
static inline bytes choice(bytes mask, bytes one, bytes other) { return (one & mask) | (other & ~mask); }

static inline bytes lesser(bytes one, bytes other) { return choice((bytes)(one < other), one, other); }

static inline bytes greater(bytes one, bytes other) { return choice((bytes)(one < other), other, one); }

/* Returns the Paeth predictor (§9.4) of sixteen bytes. The distance of left + above - corner to the left byte is
   |above - corner|, and to the byte above |left - corner|. If the corner is between the two bytes, the distance to the
   corner is the difference of these distances. Otherwise it is their sum, and the corner is not the nearest. */
static inline bytes nearest(neighbourhood near) {
    bytes left = near.left, above = near.above, corner = near.corner;
    bytes high_left = greater(left, corner), high_above = greater(above, corner);
    bytes to_left = high_above - lesser(above, corner), to_above = high_left - lesser(left, corner);
    bytes least = lesser(to_left, to_above), to_corner = greater(to_left, to_above) - least;
    bytes is_left = (bytes)(least == to_left);
    bytes is_between = (bytes)((high_left == left) ^ (high_above == above));
    bytes is_corner = is_between & (bytes)(to_corner < least);
    return choice(is_corner, corner, choice(is_left, left, above));
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
    sums pairs = (sums)lesser(values, -values);
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

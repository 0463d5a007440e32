#include "png_rows.h"

#include <stdlib.h>
#include <string.h>

/* The lower half of a vector holds the samples of one pixel. Compilers map these types to the machine's vector
   registers. */
typedef int16_t samples __attribute__((vector_size(16)));
typedef uint8_t bytes_of_samples __attribute__((vector_size(16)));
typedef uint8_t pixel_bytes __attribute__((vector_size(8)));

enum { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH };

bool png_rows_begin(png_rows *rows, size_t length, unsigned bytes_per_pixel) {
    rows->length = length;
    rows->bytes_per_pixel = bytes_per_pixel;
    /* The extra byte is needed because a pixel of three bytes is loaded as four. */
    rows->prior = calloc(length + 1, 1);
    return rows->prior != NULL;
}

void png_rows_end(png_rows *rows) { free(rows->prior); }

/* Loads four bytes. The last one has no meaning for pixels of three bytes. */
static inline samples load(const uint8_t *from) {
    pixel_bytes bytes = {0};
    memcpy(&bytes, from, 4);
    return __builtin_convertvector(bytes, samples);
}

/* Adds samples modulo 256. */
static inline samples add(samples one, samples other) {
    return (samples)((bytes_of_samples)one + (bytes_of_samples)other);
}

static inline void store(uint8_t *to, samples pixel, unsigned count) {
    pixel_bytes bytes = __builtin_convertvector(pixel, pixel_bytes);
    memcpy(to, &bytes, count);
}

/* Returns the Paeth predictor (§9.4). `threshold` is 3 * corner - above, so that `way` is 3 * corner - left - above.
   Let lo be the lesser of left and above, and hi the greater. The sample nearest to left + above - corner is lo if way
   >= hi, hi if way <= lo, and the corner in all other cases. `threshold` does not depend on the left pixel, so it can
   be computed before that pixel is known. */
static inline samples paeth(samples left, samples above, samples corner, samples threshold) {
    samples way = threshold - left;
    samples is_less = left < above;
    samples lo = (left & is_less) | (above & ~is_less), hi = (above & is_less) | (left & ~is_less);
    samples is_lo = way >= hi, is_hi = way <= lo;
    return (lo & is_lo) | (hi & is_hi & ~is_lo) | (corner & ~(is_lo | is_hi));
}

/* Unfilters a row in place. Each pixel is stored as four bytes after the next pixel has been loaded, so that the byte
   too many of a three-byte pixel does no harm. Only the last pixel is stored with its own size. */
#define FOR_EACH_PIXEL(size, row, count, pixel, statement)              \
    do {                                                                \
        samples next = load(row);                                       \
        for (size_t at = 0; at < (count); at += (size)) {               \
            samples raw = next;                                         \
            bool is_last = at + (size) >= (count);                      \
            if (!is_last) next = load((row) + at + (size));             \
            statement;                                                  \
            store((row) + at, pixel, is_last ? (size) : 4);             \
        }                                                               \
    } while (false)

static inline __attribute__((always_inline)) void unfilter(
    int type, uint8_t *row, const uint8_t *prior, size_t count, unsigned size) {
    samples left = {0}, corner = {0};
    switch (type) {
    case FILTER_SUB:
        FOR_EACH_PIXEL(size, row, count, left, left = add(raw, left));
        break;
    case FILTER_UP:
        for (size_t at = 0; at < count; at++) row[at] = (uint8_t)(row[at] + prior[at]);
        break;
    case FILTER_AVERAGE:
        FOR_EACH_PIXEL(size, row, count, left, left = add(raw, (left + load(prior + at)) >> 1));
        break;
    case FILTER_PAETH:
        FOR_EACH_PIXEL(size, row, count, left, {
            samples above = load(prior + at);
            left = add(raw, paeth(left, above, corner, corner * 3 - above));
            corner = above;
        });
        break;
    default: break;
    }
}

size_t png_rows_unfilter(png_rows *rows, uint8_t *data, size_t count) {
    if (rows->bytes_per_pixel == 0) return count;
    const uint8_t *prior = rows->prior;
    size_t done = 0, pixels = rows->length - 1;
    for (; count - done >= rows->length; done += rows->length) {
        uint8_t *row = data + done + 1;
        int type = data[done];
        if (type <= FILTER_PAETH) data[done] = FILTER_NONE;
        if (rows->bytes_per_pixel == 3) unfilter(type, row, prior, pixels, 3);
        else unfilter(type, row, prior, pixels, 4);
        prior = row;
    }
    if (done > 0) memcpy(rows->prior, prior, pixels);
    return done;
}

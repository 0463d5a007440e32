#include "png_rows.h"

#include <stdlib.h>
#include <string.h>

enum { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH };

enum {
    ROWS_AT_ONCE = 4,
    LAG = 2  /* pixels by which each of these rows is behind the row above it */
};

/* One pixel of each of four rows: four samples each, as bytes or 16 bits wide. Compilers map these types to the
   machine's vector registers. */
typedef int16_t samples __attribute__((vector_size(8 * ROWS_AT_ONCE)));
typedef uint8_t bytes_of_samples __attribute__((vector_size(8 * ROWS_AT_ONCE)));
typedef uint64_t pixels_of_samples __attribute__((vector_size(8 * ROWS_AT_ONCE)));
typedef uint8_t pixel_bytes __attribute__((vector_size(4 * ROWS_AT_ONCE)));
typedef uint32_t pixels __attribute__((vector_size(4 * ROWS_AT_ONCE)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* How vectors of this size are passed to functions depends on the processor, which clang warns about. All functions
   with such parameters are inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Four neighbouring rows that are unfiltered together. A pixel depends on its neighbours to the left and above, so that
   a row alone waits for each pixel before the next. Four rows are processed at once, each two pixels behind the row
   above it. */
typedef struct row_group {
    uint8_t *row[ROWS_AT_ONCE];
    const uint8_t *prior;  /* the row above the first one */
    size_t count;          /* bytes of a row */
    pixels next;           /* the filtered pixels of the next step */
    samples left, before;  /* the results of the last step and of the one before */
    samples corner;        /* the pixels above the results of the last step */
    samples is_sub, is_up, is_average, is_paeth;  /* masks of the rows with these filters */
} row_group;

bool png_rows_begin(png_rows *rows, size_t length, unsigned bytes_per_pixel) {
    rows->length = length;
    rows->bytes_per_pixel = bytes_per_pixel;
    /* The extra byte is needed because a pixel of three bytes is loaded as four. */
    rows->prior = calloc(length + 1, 1);
    rows->spare = calloc(length + 1, 1);
    return rows->prior != NULL && rows->spare != NULL;
}

void png_rows_end(png_rows *rows) {
    free(rows->prior);
    free(rows->spare);
}

/* Loads four bytes. The last one has no meaning for pixels of three bytes. */
static inline uint32_t load(const uint8_t *from) {
    uint32_t pixel;
    memcpy(&pixel, from, sizeof pixel);
    return pixel;
}

ALWAYS_INLINE samples widen(pixels narrow) { return __builtin_convertvector((pixel_bytes)narrow, samples); }

/* Returns the Paeth predictor (§9.4). `threshold` is 3 * corner - above, so that `way` is 3 * corner - left - above.
   Let lo be the lesser of left and above, and hi the greater. The sample nearest to left + above - corner is lo if way
   >= hi, hi if way <= lo, and the corner in all other cases. `threshold` does not depend on the left pixel, so it can
   be computed before that pixel is known. */
ALWAYS_INLINE samples paeth(samples left, samples above, samples corner, samples threshold) {
    samples way = threshold - left;
    samples is_less = left < above;
    samples lo = (left & is_less) | (above & ~is_less), hi = (above & is_less) | (left & ~is_less);
    samples is_not_lo = hi > way, is_not_hi = way > lo;
    return (((corner & is_not_hi) | (hi & ~is_not_hi)) & is_not_lo) | (lo & ~is_not_lo);
}

/* Returns the place of the group's pixel in row `k` when its first row is at the byte `at`. Before the start of a row,
   the place wraps around and is far beyond the end. */
ALWAYS_INLINE size_t place(size_t at, int k, unsigned size) { return at - (size_t)(LAG * k) * size; }

/* Unfilters one pixel of each row, whose filtered samples are `raw`. `above_first` is the pixel above the first one.
   `has_paeth` tells whether any row has the Paeth filter, and `has_others` whether any has another filter. */
ALWAYS_INLINE pixels advance(row_group *group, pixels raw, uint32_t above_first, bool has_paeth, bool has_others) {
    pixels_of_samples before = (pixels_of_samples)group->before;
    pixels_of_samples first = (pixels_of_samples)widen((pixels){above_first});
    samples above = (samples)__builtin_shufflevector(first, before, 0, 4, 5, 6);
    samples left = group->left, corner = group->corner;
    samples predicted = {0};
    if (has_paeth) predicted = paeth(left, above, corner, corner * 3 - above);
    if (has_others)
        predicted = (predicted & group->is_paeth) | (left & group->is_sub) | (above & group->is_up)
            | (((left + above) >> 1) & group->is_average);
    /* Samples are added modulo 256. */
    samples result = (samples)((bytes_of_samples)widen(raw) + (bytes_of_samples)predicted);
    group->corner = above;
    group->before = left;
    group->left = result;
    return (pixels)__builtin_convertvector(result, pixel_bytes);
}

/* Unfilters one pixel of each row, where some rows have not begun or have ended. */
ALWAYS_INLINE void step_at_ends(row_group *group, size_t at, unsigned size, bool has_paeth, bool has_others) {
    size_t count = group->count;
    pixels raw = group->next;
    for (int k = 0; k < ROWS_AT_ONCE; k++) {
        size_t next = place(at + size, k, size);
        group->next[k] = next < count ? load(group->row[k] + next) : 0;
    }
    pixels result = advance(group, raw, at < count ? load(group->prior + at) : 0, has_paeth, has_others);
    pixels_of_samples is_inside;
    for (int k = 0; k < ROWS_AT_ONCE; k++) {
        size_t own = place(at, k, size);
        uint32_t pixel = result[k];
        is_inside[k] = own < count ? UINT64_MAX : 0;
        if (own < count) memcpy(group->row[k] + own, &pixel, own + size < count ? sizeof pixel : size);
    }
    /* To the left of a row there are zeros. */
    group->left = (samples)((pixels_of_samples)group->left & is_inside);
}

/* Unfilters four rows in place. Each pixel is stored as four bytes after the next pixel has been loaded, so that the
   byte too many of a three-byte pixel does no harm. Only the last pixel is stored with its own size. */
ALWAYS_INLINE void unfilter_together(row_group *group, unsigned size, bool has_paeth, bool has_others) {
    const size_t lag = place(0, 1 - ROWS_AT_ONCE, size);
    size_t at = 0;
    group->next[0] = load(group->row[0]);
    for (; at < lag; at += size) step_at_ends(group, at, size, has_paeth, has_others);
    row_group inner = *group;
    for (; at + size < inner.count; at += size) {
        pixels raw = inner.next;
        for (int k = 0; k < ROWS_AT_ONCE; k++) inner.next[k] = load(inner.row[k] + place(at + size, k, size));
        pixels result = advance(&inner, raw, load(inner.prior + at), has_paeth, has_others);
        for (int k = 0; k < ROWS_AT_ONCE; k++) {
            uint32_t pixel = result[k];
            memcpy(inner.row[k] + place(at, k, size), &pixel, sizeof pixel);
        }
    }
    *group = inner;
    for (; at < group->count + lag; at += size) step_at_ends(group, at, size, has_paeth, has_others);
}

/* Adds a row of the group. Its filter type becomes None, which adds nothing. */
static void add_row(row_group *group, int k, uint8_t *row) {
    pixels_of_samples mask = {0};
    mask[k] = UINT64_MAX;
    switch (row[-1]) {
    case FILTER_SUB: group->is_sub |= (samples)mask; break;
    case FILTER_UP: group->is_up |= (samples)mask; break;
    case FILTER_AVERAGE: group->is_average |= (samples)mask; break;
    case FILTER_PAETH: group->is_paeth |= (samples)mask; break;
    default: break;
    }
    row[-1] = FILTER_NONE;
    group->row[k] = row;
}

ALWAYS_INLINE void unfilter_size(row_group *group, unsigned size, bool has_paeth, bool has_others) {
    if (!has_others) unfilter_together(group, size, true, false);
    else if (!has_paeth) unfilter_together(group, size, false, true);
    else unfilter_together(group, size, true, true);
}

/* Unfilters the first of `available` rows at `data`. Returns how many, 1 to 4. */
static size_t unfilter_some(png_rows *rows, uint8_t *data, size_t available, const uint8_t *prior) {
    size_t count = rows->length - 1;
    if (*data == FILTER_NONE || *data > FILTER_PAETH) return 1;
    if (*data == FILTER_UP) {
        for (size_t at = 0; at < count; at++) data[1 + at] = (uint8_t)(data[1 + at] + prior[at]);
        *data = FILTER_NONE;
        return 1;
    }
    row_group group = {.prior = prior, .count = count};
    bool has_paeth = false, has_others = false;
    size_t own = 0;
    for (; own < ROWS_AT_ONCE && own < available; own++) {
        uint8_t *row = data + own * rows->length + 1;
        if (row[-1] > FILTER_PAETH) break;
        *(row[-1] == FILTER_PAETH ? &has_paeth : &has_others) = true;
        add_row(&group, (int)own, row);
    }
    for (size_t k = own; k < ROWS_AT_ONCE; k++) group.row[k] = rows->spare;
    if (rows->bytes_per_pixel == 3) unfilter_size(&group, 3, has_paeth, has_others);
    else unfilter_size(&group, 4, has_paeth, has_others);
    return own;
}

size_t png_rows_unfilter(png_rows *rows, uint8_t *data, size_t count) {
    if (rows->bytes_per_pixel == 0) return count;
    size_t available = count / rows->length, length = rows->length;
    const uint8_t *prior = rows->prior;
    for (size_t done = 0; done < available;) {
        done += unfilter_some(rows, data + done * length, available - done, prior);
        prior = data + (done - 1) * length + 1;
    }
    if (available > 0) memcpy(rows->prior, prior, length - 1);
    return available * length;
}

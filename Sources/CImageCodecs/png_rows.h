#ifndef PNG_ROWS_H
#define PNG_ROWS_H

/* Declarations that only the files of the PNG reader include. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reverses the filters of a PNG's rows (PNG specification, third edition, §9) with vector instructions. libpng has such
   code too, but not in Debian's build. libpng then receives rows of the filter type None. */
typedef struct png_rows {
    size_t length;             /* bytes of a row, including its filter type */
    unsigned bytes_per_pixel;  /* 3 or 4; 0 if rows are not unfiltered here */
    uint8_t *prior;            /* the row above the first row of the next call */
    uint8_t *spare;            /* stands for the missing rows of a group of less than four */
} png_rows;

/* Returns whether rows with this number of bits per pixel are unfiltered here. */
static inline bool png_rows_knows(unsigned bits_per_pixel, bool is_interlaced) {
    return !is_interlaced && (bits_per_pixel == 24 || bits_per_pixel == 32);
}

/* Starts with the first row. Returns false if there is no memory. */
bool png_rows_begin(png_rows *rows, size_t length, unsigned bytes_per_pixel);

/* Unfilters all complete rows among the first `count` bytes of `data`, which begin with a row. Returns the size of
   these rows in bytes. A row with an invalid filter type is left as it is, and libpng refuses it. */
size_t png_rows_unfilter(png_rows *rows, uint8_t *data, size_t count);

/* Frees the buffers of `rows`, which may be all zeros. */
void png_rows_end(png_rows *rows);

#endif

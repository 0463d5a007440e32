#ifndef PNG_FILTER_H
#define PNG_FILTER_H

/* Declarations that only the files of the PNG writer include. */

#include <stddef.h>
#include <stdint.h>

enum {
    FILTERED_PIXEL = 4,  /* bytes per pixel: RGBA */
    FILTER_MARGIN = 16   /* zeros before and after a row, and bytes after a result that may be overwritten */
};

/* Filters a row with the one of the five filters (PNG specification, third edition, §9) whose result has the smallest
   sum of absolute values, with its bytes taken as signed. §12.7 recommends this choice, and libpng makes it too, but
   one byte at a time.

   `row` and `prior`, which is the row above or zeros, have `count` bytes between margins. `result` has room for the
   filter type, `count` bytes and a margin. */
void png_filter_row(const uint8_t *row, const uint8_t *prior, size_t count, uint8_t *result);

#endif

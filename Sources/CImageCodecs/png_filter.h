#ifndef PNG_FILTER_H
#define PNG_FILTER_H

/* Declarations that only the files of the PNG writer include. */

#include <stddef.h>
#include <stdint.h>

enum {
    FILTERED_PIXEL = 4,  /* bytes per pixel: RGBA */
    FILTER_MARGIN = 16   /* zeros before and after a row, and bytes that may be written after a result */
};

/* Filters a row by the one of the five filters (PNG specification, third edition, §9) whose result is smallest, as
   the sum of its bytes taken as signed ones: what §12.7 recommends, and libpng does one byte at a time.

   `row` and `prior`, the row above or zeros, have `count` bytes and the margins; `result` has room for the filter
   type, these bytes and a margin. */
void png_filter_row(const uint8_t *row, const uint8_t *prior, size_t count, uint8_t *result);

#endif

#ifndef PNG_PACKER_H
#define PNG_PACKER_H

/* Declarations that only the files of the PNG writer include. */

#include <stddef.h>
#include <stdint.h>

#include <zlib.h>

/* Packs filtered rows with zlib, in the way that suits them: photographs by their runs alone, since what else
   repeats in them is worth little and takes most of the time to find; drawings, text and patterns by what repeats.
   It is decided for some hundred kilobytes of rows at a time. */
typedef struct png_packer {
    z_stream stream;
    int level;
    int strategy;
    unsigned batches;         /* number of packed batches */
    size_t filled, capacity;  /* bytes of the current batch */
    uint8_t *batch;
} png_packer;

/* Receives `count` packed bytes, which the packer owns. */
typedef void png_packer_sink(void *context, const uint8_t *bytes, size_t count);

/* `level` is zlib's, for what repeats. Z_OK, or Z_MEM_ERROR where memory has run out; the packer is to be ended in
   either case. `packer` must be all zeros. */
int png_packer_begin(png_packer *packer, int level, size_t row_length);

/* Returns room for the next row and 16 bytes after it. */
uint8_t *png_packer_row(png_packer *packer);

/* Adds the row that the caller has written to that room. */
void png_packer_add(png_packer *packer, size_t length, png_packer_sink *sink, void *context);

/* Packs the remaining rows. */
void png_packer_finish(png_packer *packer, png_packer_sink *sink, void *context);

/* Frees what the packer owns. */
void png_packer_end(png_packer *packer);

#endif

#ifndef PNG_PACKER_H
#define PNG_PACKER_H

/* Declarations that only the files of the PNG writer include. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zlib.h>

#include "run_deflater.h"

/* Compresses filtered rows to a zlib stream (RFC 1950), by a strategy that suits them. Photographs are compressed by
   run lengths alone: other repeats in them save little, and finding those takes most of the time. zlib compresses
   drawings, text and patterns by all their repeats. The strategy is chosen anew for every few hundred kilobytes of
   rows. */
typedef struct png_packer {
    z_stream stream;          /* compresses rows with repeats, without a header and a checksum */
    run_deflater runs;        /* compresses all others */
    bool has_repeats;         /* the strategy for the current rows */
    uint32_t checksum;        /* of all rows so far */
    unsigned batches;         /* the number of compressed batches */
    size_t filled;            /* bytes in the current batch */
    uint8_t *batch;
} png_packer;

/* Starts a packer, which must be all zeros. `level` is zlib's level for rows with repeats. Returns Z_OK, or Z_MEM_ERROR
   if there is no memory; png_packer_end must be called in either case. */
int png_packer_begin(png_packer *packer, int level, size_t row_length);

/* Returns room for the next row and 16 more bytes. */
uint8_t *png_packer_row(png_packer *packer);

/* Adds the row that the caller has written to this room. */
void png_packer_add(png_packer *packer, size_t length, deflated_sink *sink, void *context);

/* Compresses the remaining rows and ends the stream. */
void png_packer_finish(png_packer *packer, deflated_sink *sink, void *context);

/* Frees the memory that the packer owns. */
void png_packer_end(png_packer *packer);

#endif

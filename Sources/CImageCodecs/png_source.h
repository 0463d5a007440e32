#ifndef PNG_SOURCE_H
#define PNG_SOURCE_H

/* What the files of the PNG reader share; nobody else includes it. */

#include "codec_failure.h"

/* A PNG file as libpng is to see it: all chunks as they are, but for those of IDAT, which come with the same data
   unpacked, in stored blocks (RFC 1951 §3.2.4), and of the most frequent kinds of pixels unfiltered. isa-l unpacks
   them in a third of zlib's time; libpng goes on to make sure of everything, but for the checksums of critical
   chunks, which are looked at here. */
typedef struct png_source png_source;

/* Begins to read `file`, a descriptor at offset 0, which stays the caller's and must stay open. NULL where memory
   has run out; else the caller owns the source and frees it. */
png_source *png_source_create(int file);

/* What the source has to know of a picture before its first pixel is read. */
typedef struct png_layout {
    uint64_t bytes;           /* of its data, filter types included: what comes after them is passed over, so that no file
                                 costs more than its picture */
    size_t row_bytes;         /* of a row, filter type included; where interlaced, of the longest */
    unsigned bits_per_pixel;
    bool is_interlaced;
} png_layout;

/* To be called once, before the first pixel is read. False where memory has run out. */
bool png_source_expect(png_source *source, png_layout layout);

/* Copies the next `count` bytes to `bytes`, which the caller owns. A failure is written to *failure and returned: it
   may be CODEC_TRUNCATED, CODEC_CORRUPT, CODEC_IO or CODEC_OUT_OF_MEMORY, and ends the source. */
codec_status png_source_read(png_source *source, uint8_t *bytes, size_t count, codec_failure *failure);

/* Frees the source; not the descriptor. NULL is allowed. */
void png_source_free(png_source *source);

#endif

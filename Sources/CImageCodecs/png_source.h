#ifndef PNG_SOURCE_H
#define PNG_SOURCE_H

/* Declarations that only the files of the PNG reader include. */

#include "codec_failure.h"

/* A PNG file as libpng reads it. All chunks are unchanged, except that the IDAT chunks hold the same data unpacked, in
   stored blocks (RFC 1951 §3.2.4), and, for the most frequent kinds of pixels, unfiltered. isa-l unpacks the data in a
   third of zlib's time. libpng still validates everything except the checksums of critical chunks, which are checked
   here. */
typedef struct png_source png_source;

/* Creates a source that reads `file`, a descriptor at offset 0. The caller owns the descriptor and must keep it open.
   Returns NULL if there is no memory; otherwise the caller owns the source and must free it. */
png_source *png_source_create(int file);

/* The layout of a picture, which the source needs before its first pixel is read. */
typedef struct png_layout {
    uint64_t bytes;           /* size of its data, including filter types. Data after them are skipped, so that no file
                                 costs more than its picture */
    size_t row_bytes;         /* size of a row, including its filter type; of the longest row if interlaced */
    unsigned bits_per_pixel;
    bool is_interlaced;
} png_layout;

/* Sets the layout. Call once, before the first pixel is read. Returns false if there is no memory. */
bool png_source_expect(png_source *source, png_layout layout);

/* Copies the next `count` bytes to `bytes`, which the caller owns. A failure is written to *failure and returned. It is
   CODEC_TRUNCATED, CODEC_CORRUPT, CODEC_IO or CODEC_OUT_OF_MEMORY, and nothing can be read after it. */
codec_status png_source_read(png_source *source, uint8_t *bytes, size_t count, codec_failure *failure);

/* Frees the source, which can be NULL, but not the descriptor. */
void png_source_free(png_source *source);

#endif

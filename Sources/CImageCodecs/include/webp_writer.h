#ifndef WEBP_WRITER_H
#define WEBP_WRITER_H

#include "codec_failure.h"

/* A WebP file that is being written, rows in. libwebp compresses whole pictures only: the rows are gathered, as YUV
   4:2:0, and compressed at the end. One thread at a time may use a handle. */
typedef struct codec_webp_writer codec_webp_writer;

/* Returns the version of the loaded encoder, a byte for each part: 0x010204 for 1.2.4. */
int codec_webp_writer_version(void);

/* The longest side of a WebP picture in pixels (WEBP_MAX_DIMENSION). */
enum { CODEC_WEBP_LONGEST_SIDE = 16383 };

/* The largest picture, in pixels, whose coefficients libwebp keeps between its two passes. For larger ones they are
   computed twice, which takes half as long again and saves up to 28 bytes a pixel. */
enum { CODEC_WEBP_MOST_PIXELS_IN_TOKENS = 4000000 };

/* Begins a WebP with losses, of width x height pixels (1 to CODEC_WEBP_LONGEST_SIDE), without metadata, at a quality
   of 0 to 100; transparency, which is kept without losses, where `has_alpha` says so. `method` is how much libwebp
   tries, 0 to 6. `file` is an empty file open for writing at offset 0; it stays the caller's. *writer is set
   whenever the result is not CODEC_OUT_OF_MEMORY, also on failure; the caller owns it and closes it. */
codec_status codec_webp_writer_open(
    int file, uint32_t width, uint32_t height, bool has_alpha, float quality, int method, codec_webp_writer **writer);

/* Takes one row of width x 3 bytes (RGB), or of width x 4 (RGBA, not premultiplied) with alpha. The row stays the
   caller's and is not kept. */
codec_status codec_webp_writer_row(codec_webp_writer *writer, const uint8_t *row);

/* To be called once, after the last row: compresses the picture on this thread alone, and frees it. `is_cancelled`
   is asked with `context` every few percent; where it says so, the result is CODEC_CANCELLED. *bytes is the length
   of the file. */
codec_status codec_webp_writer_finish(
    codec_webp_writer *writer, bool (*is_cancelled)(void *context), void *context, int64_t *bytes);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_webp_writer_failure(const codec_webp_writer *writer);

/* Frees the handle; not the descriptor. NULL is allowed. Cannot fail. */
void codec_webp_writer_close(codec_webp_writer *writer);

#endif

#ifndef WEBP_WRITER_H
#define WEBP_WRITER_H

#include "codec_failure.h"

/* An encoder of a WebP file, which takes rows. libwebp compresses only whole pictures, so the rows are collected, as
   YUV 4:2:0, and compressed at the end. Only one thread at a time may use a handle. */
typedef struct codec_webp_writer codec_webp_writer;

/* Returns the version of the loaded encoder, one byte for each part: 0x010204 for 1.2.4. */
int codec_webp_writer_version(void);

/* The longest side of a WebP picture, in pixels (WEBP_MAX_DIMENSION). */
enum { CODEC_WEBP_LONGEST_SIDE = 16383 };

/* The largest picture, in pixels, whose coefficients libwebp keeps between its two passes. The coefficients of a larger
   picture are computed twice, which takes half as long again and saves up to 28 bytes a pixel. */
enum { CODEC_WEBP_MOST_PIXELS_IN_TOKENS = 4000000 };

/* Begins a lossy WebP of width x height pixels (1 to CODEC_WEBP_LONGEST_SIDE each), without metadata, at a quality of 0
   to 100. If `has_alpha`, the picture has an alpha channel, which is compressed losslessly. `method` is the effort that
   libwebp makes, 0 to 6. `file` is an empty file that is open for writing at offset 0; the caller owns it. *writer is
   set unless the result is CODEC_OUT_OF_MEMORY, even on failure; the caller owns it and must close it. */
codec_status codec_webp_writer_open(
    int file, uint32_t width, uint32_t height, bool has_alpha, float quality, int method, codec_webp_writer **writer);

/* Takes one row of width x 3 bytes (RGB), or, with alpha, of width x 4 bytes (RGBA, not premultiplied). The caller owns
   the row, which is not used after the call. */
codec_status codec_webp_writer_row(codec_webp_writer *writer, const uint8_t *row);

/* Compresses the picture on the calling thread alone, and frees it. Call once, after the last row. `is_cancelled` is
   called with `context` every few percent; if it returns true, the result is CODEC_CANCELLED. *bytes is set to the
   length of the file. */
codec_status codec_webp_writer_finish(
    codec_webp_writer *writer, bool (*is_cancelled)(void *context), void *context, int64_t *bytes);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_webp_writer_failure(const codec_webp_writer *writer);

/* Frees the handle, but not the descriptor. NULL is allowed. Cannot fail. */
void codec_webp_writer_close(codec_webp_writer *writer);

#endif

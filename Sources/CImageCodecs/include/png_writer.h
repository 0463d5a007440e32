#ifndef PNG_WRITER_H
#define PNG_WRITER_H

#include "codec_failure.h"

/* A PNG file that is being written, rows in. One thread at a time may use a handle. */
typedef struct codec_png_writer codec_png_writer;

/* Begins a PNG of width x height RGBA pixels (8 bits, not premultiplied, not interlaced, no metadata), packed by
   its runs, and where something repeats at zlib's `level` (1 to 9). `file` is an empty file open for writing; it stays
   the caller's. *writer is set whenever the result is not CODEC_OUT_OF_MEMORY, also on failure; the caller owns it and
   closes it. */
codec_status codec_png_writer_open(
    int file, uint32_t width, uint32_t height, int level, codec_png_writer **writer);

/* Writes one row of width x 4 bytes (RGBA). The row stays the caller's and is not kept. */
codec_status codec_png_writer_row(codec_png_writer *writer, const uint8_t *row);

/* Completes the file. Call once, after the last row. *bytes is the length of the file. */
codec_status codec_png_writer_finish(codec_png_writer *writer, int64_t *bytes);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_png_writer_failure(const codec_png_writer *writer);

/* Frees the handle; not the descriptor. NULL is allowed. Cannot fail. */
void codec_png_writer_close(codec_png_writer *writer);

#endif

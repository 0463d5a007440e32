#ifndef PNG_WRITER_H
#define PNG_WRITER_H

#include "codec_failure.h"

/* An encoder of a PNG file, which takes rows. Only one thread at a time may use a handle. */
typedef struct codec_png_writer codec_png_writer;

/* Begins a PNG of width x height RGBA pixels (8 bits a sample, not premultiplied, not interlaced, no metadata). Its
   rows are compressed by run lengths, or, if much in them repeats, at zlib's `level` (1 to 9). `file` is an empty file
   that is open for writing; the caller owns it. *writer is set unless the result is CODEC_OUT_OF_MEMORY, even on
   failure; the caller owns it and must close it. */
codec_status codec_png_writer_open(
    int file, uint32_t width, uint32_t height, int level, codec_png_writer **writer);

/* Writes one row of width x 4 bytes (RGBA). The caller owns the row, which is not used after the call. */
codec_status codec_png_writer_row(codec_png_writer *writer, const uint8_t *row);

/* Completes the file. Call once, after the last row. *bytes is set to the length of the file. */
codec_status codec_png_writer_finish(codec_png_writer *writer, int64_t *bytes);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_png_writer_failure(const codec_png_writer *writer);

/* Frees the handle, but not the descriptor. NULL is allowed. Cannot fail. */
void codec_png_writer_close(codec_png_writer *writer);

#endif

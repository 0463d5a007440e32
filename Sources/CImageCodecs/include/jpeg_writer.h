#ifndef JPEG_WRITER_H
#define JPEG_WRITER_H

#include "codec_failure.h"

/* An encoder of a JPEG file, which takes rows. Only one thread at a time may use a handle. */
typedef struct codec_jpeg_writer codec_jpeg_writer;

/* The quality from which colours are stored at full resolution (4:4:4): subsampling would blur the coloured edges that
   such a quality is meant to preserve. */
enum { CODEC_JPEG_FULL_COLOUR_QUALITY = 90 };

/* Begins a baseline JPEG (JFIF, 4:2:0 below CODEC_JPEG_FULL_COLOUR_QUALITY, standard Huffman tables, no metadata) of
   width x height pixels (1 to 65500 each) at a quality of 1 to 100. `file` is an empty file that is open for writing;
   the caller owns it. *writer is set unless the result is CODEC_OUT_OF_MEMORY, even on failure; the caller owns it and
   must close it. */
codec_status codec_jpeg_writer_open(
    int file, uint32_t width, uint32_t height, int quality, codec_jpeg_writer **writer);

/* Writes one row of width x 3 bytes (RGB). The caller owns the row, which is not used after the call. */
codec_status codec_jpeg_writer_row(codec_jpeg_writer *writer, const uint8_t *row);

/* Completes the file. Call once, after the last row. *bytes is set to the length of the file. */
codec_status codec_jpeg_writer_finish(codec_jpeg_writer *writer, int64_t *bytes);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_jpeg_writer_failure(const codec_jpeg_writer *writer);

/* Frees the handle, but not the descriptor. NULL is allowed. Cannot fail. */
void codec_jpeg_writer_close(codec_jpeg_writer *writer);

#endif

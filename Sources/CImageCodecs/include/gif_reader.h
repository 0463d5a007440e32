#ifndef GIF_READER_H
#define GIF_READER_H

#include "codec_failure.h"

/* A decoder of the first frame of a GIF file, which delivers rows. Only one thread at a time may use a handle. */
typedef struct codec_gif_reader codec_gif_reader;

/* The facts that a file states before the pixels of its first frame. */
typedef struct codec_gif_header {
    uint32_t width, height;  /* in pixels: the logical screen, enlarged to contain the whole frame */
    bool has_transparency;   /* rows are RGBA; otherwise RGB */
    bool is_interlaced;
} codec_gif_header;

/* Creates a handle and reads up to the pixels of the first frame. `file` is a descriptor at offset 0 of the file. The
   caller owns it and must keep it open until the handle is closed. *reader is set unless the result is
   CODEC_OUT_OF_MEMORY, even on failure; the caller owns it and must close it. */
codec_status codec_gif_reader_open(int file, codec_gif_reader **reader);

/* Returns the header. Its sizes are 0 if the file failed before they were known. */
codec_gif_header codec_gif_reader_header(const codec_gif_reader *reader);

/* Decodes the next row, in stored order, into `row`, which the caller owns and has filled with zeros. Only the pixels
   that the frame covers are written. codec_gif_reader_next_line tells beforehand which row of the picture it is. */
codec_status codec_gif_reader_row(codec_gif_reader *reader, uint8_t *row);

/* Sets *line to the index, in the picture, of the row that is read next. Returns false when all rows have been read. */
bool codec_gif_reader_next_line(const codec_gif_reader *reader, uint32_t *line);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_gif_reader_failure(const codec_gif_reader *reader);

/* Frees the handle and everything it owns, but not the descriptor. NULL is allowed. Cannot fail. */
void codec_gif_reader_close(codec_gif_reader *reader);

#endif

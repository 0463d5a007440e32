#ifndef GIF_READER_H
#define GIF_READER_H

#include "codec_failure.h"

/* The first frame of a GIF file that is being decoded, rows out. One thread at a time may use a handle. */
typedef struct codec_gif_reader codec_gif_reader;

typedef struct codec_gif_header {
    uint32_t width, height;  /* pixels, of the screen, and of the frame where that reaches over it */
    bool has_transparency;   /* rows come as RGBA, else as RGB */
    bool is_interlaced;
} codec_gif_header;

/* Creates a handle and reads up to the pixels of the first frame. `file` is a descriptor at offset 0 of the file; it
   stays the caller's and must stay open until the handle is closed. *reader is set whenever the result is not
   CODEC_OUT_OF_MEMORY, also on failure; the caller owns it and closes it. */
codec_status codec_gif_reader_open(int file, codec_gif_reader **reader);

/* The header; its sizes are 0 where the file failed before they were known. */
codec_gif_header codec_gif_reader_header(const codec_gif_reader *reader);

/* Decodes the next row as it is stored into `row`, which the caller owns and has filled with zeros; `row` is written
   only where the frame covers it. Its place is what next_line said before. */
codec_status codec_gif_reader_row(codec_gif_reader *reader, uint8_t *row);

/* Sets the index of the next row to be read. Returns false when all rows have been read. */
bool codec_gif_reader_next_line(const codec_gif_reader *reader, uint32_t *line);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_gif_reader_failure(const codec_gif_reader *reader);

/* Frees the handle and all it owns; not the descriptor. NULL is allowed. Cannot fail. */
void codec_gif_reader_close(codec_gif_reader *reader);

#endif

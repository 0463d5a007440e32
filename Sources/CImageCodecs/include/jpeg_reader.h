#ifndef JPEG_READER_H
#define JPEG_READER_H

#include "codec_failure.h"

/* A JPEG file that is being decoded, rows out. One thread at a time may use a handle. */
typedef struct codec_jpeg_reader codec_jpeg_reader;

/* The header of the file, up to its first scan. */
typedef struct codec_jpeg_header {
    uint32_t width, height;  /* pixels, as stored */
    uint32_t components;     /* 1 grey, 3 colour, 4 inks */
    bool has_inks;           /* CMYK or YCCK: rows come as four ink bytes, 255 for no ink */
    bool has_many_scans;     /* progressive or not interleaved: libjpeg holds all coefficients */
    uint64_t coefficient_bytes;  /* what they take; 0 unless has_many_scans */
    uint64_t profile_bytes;  /* of the parts of an ICC profile; 0 if there are none */
    uint64_t metadata_bytes; /* of the EXIF data */
} codec_jpeg_header;

/* Creates a handle and reads up to the first scan. `file` is a descriptor at offset 0 of the file; it stays the
   caller's and must stay open until the handle is closed. *reader is set whenever the result is not
   CODEC_OUT_OF_MEMORY, also on failure; the caller owns it and closes it. */
codec_status codec_jpeg_reader_open(int file, codec_jpeg_reader **reader);

/* The header. Its sizes are 0 where the file failed before they were known; after a later failure they are what the
   file claims. */
codec_jpeg_header codec_jpeg_reader_header(const codec_jpeg_reader *reader);

/* The EXIF data of the first APP1 segment that has any, with its "Exif\0\0" in front; *length is 0 and the result
   NULL if there is none. The bytes are the handle's and live as long as it does. */
const uint8_t *codec_jpeg_reader_exif(const codec_jpeg_reader *reader, size_t *length);

/* The ICC profile in the APP2 segments before the first scan; *length is 0 and the result NULL if there is none, or not
   all of it. The bytes are the handle's and live as long as it does. */
const uint8_t *codec_jpeg_reader_profile(codec_jpeg_reader *reader, size_t *length);

/* Returns whether there are parts of a profile but not all. Call codec_jpeg_reader_profile first. */
bool codec_jpeg_reader_profile_is_broken(const codec_jpeg_reader *reader);

/* Begins to decode at 1/denominator (1, 2, 4 or 8) of the size; *width and *height are those of the rows to come,
   which have 4 bytes a pixel where has_inks, else 3 (RGB). To be called once, before any row. */
codec_status codec_jpeg_reader_start(
    codec_jpeg_reader *reader, unsigned denominator, uint32_t *width, uint32_t *height);

/* Takes in a bounded part of a file with many scans; to be repeated until *ready, before any row is read. A file of
   more than max_scans scans is corrupt: each costs time over the whole picture and almost no bytes. */
codec_status codec_jpeg_reader_take_in(codec_jpeg_reader *reader, int max_scans, bool *ready);

/* Reads up to `count` rows, `stride` bytes apart, into `rows`, which the caller owns. *done is how many were read;
   fewer than asked for only at the end of the picture. Rows made up by libjpeg for missing or damaged data are a
   failure. */
codec_status codec_jpeg_reader_rows(
    codec_jpeg_reader *reader, uint8_t *rows, size_t stride, uint32_t count, uint32_t *done);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_jpeg_reader_failure(const codec_jpeg_reader *reader);

/* Frees the handle and all it owns; not the descriptor. NULL is allowed. Cannot fail. */
void codec_jpeg_reader_close(codec_jpeg_reader *reader);

#endif

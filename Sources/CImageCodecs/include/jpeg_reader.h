#ifndef JPEG_READER_H
#define JPEG_READER_H

#include "codec_failure.h"

/* A decoder of a JPEG file, which delivers rows. Only one thread at a time may use a handle. */
typedef struct codec_jpeg_reader codec_jpeg_reader;

/* The facts that a file states before its first scan. */
typedef struct codec_jpeg_header {
    uint32_t width, height;  /* in pixels, as stored */
    uint32_t components;     /* 1 for grey, 3 for colour, 4 for inks */
    bool has_inks;           /* CMYK or YCCK: rows have four bytes of ink a pixel, 255 for no ink */
    bool has_many_scans;     /* progressive or not interleaved: libjpeg holds all coefficients */
    uint64_t coefficient_bytes;  /* the most memory that all coefficients take; 0 unless has_many_scans */
    uint64_t profile_bytes;  /* total size of the parts of an ICC profile; 0 if there are none */
    uint64_t metadata_bytes; /* size of the EXIF data */
} codec_jpeg_header;

/* Creates a handle and reads up to the first scan. `file` is a descriptor at offset 0 of the file. The caller owns it
   and must keep it open until the handle is closed. *reader is set unless the result is CODEC_OUT_OF_MEMORY, even on
   failure; the caller owns it and must close it. */
codec_status codec_jpeg_reader_open(int file, codec_jpeg_reader **reader);

/* Returns the header. Its sizes are 0 if the file failed before they were known; after a later failure they are those
   that the file claims. */
codec_jpeg_header codec_jpeg_reader_header(const codec_jpeg_reader *reader);

/* Returns the EXIF data of the first APP1 segment that has any, starting with "Exif\0\0". If there are none, the result
   is NULL and *length 0. The handle owns the bytes, which live as long as it does. */
const uint8_t *codec_jpeg_reader_exif(const codec_jpeg_reader *reader, size_t *length);

/* Returns the ICC profile from the APP2 segments before the first scan. If there is none, or parts of it are missing,
   the result is NULL and *length 0. The handle owns the bytes, which live as long as it does. */
const uint8_t *codec_jpeg_reader_profile(codec_jpeg_reader *reader, size_t *length);

/* Returns whether there are parts of an ICC profile that make no whole: some are missing, contradict one another or
   exceed the limit. Call codec_jpeg_reader_profile first. */
bool codec_jpeg_reader_profile_is_broken(const codec_jpeg_reader *reader);

/* Begins to decode at 1/denominator of the size (1, 2, 4 or 8). *width and *height are set to the size of the decoded
   picture. Its rows have 4 bytes a pixel if has_inks, otherwise 3 (RGB). Call once, before any row is read. */
codec_status codec_jpeg_reader_start(
    codec_jpeg_reader *reader, unsigned denominator, uint32_t *width, uint32_t *height);

/* Reads a bounded part of a file with many scans. Call it until *ready is set, before any row is read. A file with more
   than max_scans scans counts as corrupt: each scan costs time for the whole picture, but hardly any bytes of the
   file. */
codec_status codec_jpeg_reader_take_in(codec_jpeg_reader *reader, int max_scans, bool *ready);

/* Reads up to `count` rows, `stride` bytes apart, into `rows`, which the caller owns. *done is set to the number of
   rows read, which is less than `count` only at the end of the picture. The call fails if libjpeg had to make up rows
   for missing or damaged data. */
codec_status codec_jpeg_reader_rows(
    codec_jpeg_reader *reader, uint8_t *rows, size_t stride, uint32_t count, uint32_t *done);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_jpeg_reader_failure(const codec_jpeg_reader *reader);

/* Frees the handle and everything it owns, but not the descriptor. NULL is allowed. Cannot fail. */
void codec_jpeg_reader_close(codec_jpeg_reader *reader);

#endif

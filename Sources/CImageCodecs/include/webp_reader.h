#ifndef WEBP_READER_H
#define WEBP_READER_H

#include "codec_failure.h"

/* A decoder of a WebP file, which delivers the whole picture, or the first frame of an animation. Only one thread at a
   time may use a handle. */
typedef struct codec_webp_reader codec_webp_reader;

/* The facts that are known before the picture is decoded. */
typedef struct codec_webp_header {
    uint32_t width, height;  /* in pixels, of the canvas */
    bool has_transparency;   /* the picture is decoded to RGBA; otherwise to RGB */
    uint64_t profile_bytes;  /* size of the ICC profile; 0 if there is none */
    uint64_t held_bytes;     /* memory for the file and the decoder, without the picture and tables of prefix codes */
} codec_webp_header;

/* A lossless bitstream (RFC 9649, section 3), without the image header in front of it. */
typedef struct codec_webp_lossless {
    const uint8_t *bytes;    /* NULL if there is no such bitstream */
    size_t length;
    uint32_t width, height;  /* in pixels, of the picture that the bitstream codes */
} codec_webp_lossless;

/* Returns the version of the loaded decoder, one byte for each part: 0x010204 for 1.2.4. */
int codec_webp_version(void);

/* Reads the header from the first `count` bytes of a file. Its sizes are 0 if these bytes are not enough. The size of
   the profile and the memory for tables are not known yet. `length` is the length of the whole file. */
codec_webp_header codec_webp_presumed_header(const uint8_t *start, size_t count, uint64_t length);

/* Creates a handle and reads the whole file, whose length the caller has bounded. `file` is a descriptor at offset 0;
   the caller owns it. *reader is set unless the result is CODEC_OUT_OF_MEMORY, even on failure; the caller owns it and
   must close it. */
codec_status codec_webp_reader_open(int file, codec_webp_reader **reader);

/* Returns the header. Its sizes are 0 if the file failed before they were known. */
codec_webp_header codec_webp_reader_header(const codec_webp_reader *reader);

/* Returns the lossless bitstream of the picture that is decoded: that of its pixels, that of its alpha channel, or
   none. The handle owns the bytes, which live as long as it does. */
codec_webp_lossless codec_webp_reader_lossless(const codec_webp_reader *reader);

/* Return the TIFF structure of the EXIF chunk, and the ICC profile. If there is none, the result is NULL and *length 0.
   The handle owns the bytes, which live as long as it does. */
const uint8_t *codec_webp_reader_exif(const codec_webp_reader *reader, size_t *length);
const uint8_t *codec_webp_reader_profile(const codec_webp_reader *reader, size_t *length);

/* Begins to decode into `pixels`, with rows `stride` bytes apart. The caller has filled the pixels with zeros, owns
   them, and must not free them before the handle is closed. Call once. */
codec_status codec_webp_reader_start(codec_webp_reader *reader, uint8_t *pixels, size_t stride);

/* Decodes a bounded part of the picture. Call it until *done is set. */
codec_status codec_webp_reader_take_in(codec_webp_reader *reader, bool *done);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_webp_reader_failure(const codec_webp_reader *reader);

/* Frees the handle and everything it owns, but neither the descriptor nor the pixels. NULL is allowed. Cannot fail. */
void codec_webp_reader_close(codec_webp_reader *reader);

#endif

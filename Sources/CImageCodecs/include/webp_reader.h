#ifndef WEBP_READER_H
#define WEBP_READER_H

#include "codec_failure.h"

/* A WebP file that is being decoded, the whole picture out; of an animation, its first frame. One thread at a time may
   use a handle. */
typedef struct codec_webp_reader codec_webp_reader;

typedef struct codec_webp_header {
    uint32_t width, height;  /* pixels, of the canvas */
    bool has_transparency;   /* the picture is wanted as RGBA, else as RGB */
    uint64_t profile_bytes;  /* of the ICC profile; 0 if there is none */
    uint64_t held_bytes;     /* of the file and by the decoder, beside the picture itself and tables of prefix codes */
} codec_webp_header;

/* Bits that are coded without losses (RFC 9649, section 3), behind the image header. */
typedef struct codec_webp_lossless {
    const uint8_t *bytes;    /* NULL if there are none */
    size_t length;
    uint32_t width, height;  /* pixels, of the picture that they make */
} codec_webp_lossless;

/* Returns the version of the loaded decoder, a byte for each part: 0x010204 for 1.2.4. */
int codec_webp_version(void);

/* Reads the header from the first bytes of a file. Its sizes are 0 if these bytes are not enough; profile and tables
   are not known yet. `length` is the length of the whole file. */
codec_webp_header codec_webp_presumed_header(const uint8_t *start, size_t count, uint64_t length);

/* Creates a handle and reads the whole file, whose length the caller has bounded. `file` is a descriptor at offset
   0; it stays the caller's. *reader is set whenever the result is not CODEC_OUT_OF_MEMORY, also on failure; the
   caller owns it and closes it. */
codec_status codec_webp_reader_open(int file, codec_webp_reader **reader);

/* The header; its sizes are 0 where the file failed before they were known. */
codec_webp_header codec_webp_reader_header(const codec_webp_reader *reader);

/* Returns the lossless part of the picture to decode: its pixels, its transparency, or nothing. The handle owns the
   bytes, which live as long as it does. */
codec_webp_lossless codec_webp_reader_lossless(const codec_webp_reader *reader);

/* The TIFF structure of the EXIF chunk and the ICC profile; *length is 0 and the result NULL if there is none. The
   bytes are the handle's and live as long as it does. */
const uint8_t *codec_webp_reader_exif(const codec_webp_reader *reader, size_t *length);
const uint8_t *codec_webp_reader_profile(const codec_webp_reader *reader, size_t *length);

/* Begins to decode into `pixels`, rows `stride` bytes apart, which the caller owns until the handle is closed, filled
   with zeros. To be called once. */
codec_status codec_webp_reader_start(codec_webp_reader *reader, uint8_t *pixels, size_t stride);

/* Decodes a bounded part. Call it until *done is set. */
codec_status codec_webp_reader_take_in(codec_webp_reader *reader, bool *done);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_webp_reader_failure(const codec_webp_reader *reader);

/* Frees the handle and all it owns; neither the descriptor nor the pixels. NULL is allowed. Cannot fail. */
void codec_webp_reader_close(codec_webp_reader *reader);

#endif

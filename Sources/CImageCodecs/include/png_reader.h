#ifndef PNG_READER_H
#define PNG_READER_H

#include "codec_failure.h"

/* A PNG file that is being decoded, rows out. One thread at a time may use a handle. */
typedef struct codec_png_reader codec_png_reader;

/* The header of the file, up to its first IDAT chunk. */
typedef struct codec_png_header {
    uint32_t width, height;  /* pixels, as stored */
    bool has_transparency;   /* an alpha channel or a tRNS chunk: rows come as RGBA, else as RGB */
    bool is_grey;            /* red, green and blue of each pixel are equal */
    uint32_t bits;           /* a sample, as stored */
    bool is_interlaced;      /* Adam7 */
    uint32_t stored_bits;    /* a pixel, as stored */
    uint64_t profile_bytes;  /* of the ICC profile; 0 if there is none */
    uint64_t metadata_bytes; /* of other chunks that are kept */
} codec_png_header;

/* The colour information of the file that libpng accepts as valid. */
typedef struct codec_png_colour {
    bool is_srgb;                         /* an sRGB chunk, or a profile that libpng knows as sRGB */
    const uint8_t *profile;               /* iCCP; NULL if there is none. The bytes are the handle's */
    size_t profile_length;
    bool profile_is_broken;               /* there is an iCCP chunk that libpng can't read */
    bool has_code_points;                 /* cICP: what follows */
    uint8_t code_points[4];               /* of primaries, transfer, matrix; 1 for full range (ITU-T H.273) */
    double gamma;                         /* gAMA; 0 if there is none */
    bool has_chromaticities;              /* cHRM: what follows, x and y each */
    double white[2], red[2], green[2], blue[2];
} codec_png_colour;

/* Creates a handle and reads up to the first IDAT chunk. Text and all other chunks that are needed neither for the
   pixels nor for their colours are passed over without being kept or inflated; a profile of over 8 MB is too. `file`
   is a descriptor at offset 0 of the file; it stays the caller's and must stay open until the handle is closed.
   *reader is set whenever the result is not CODEC_OUT_OF_MEMORY, also on failure; the caller owns it and closes it. */
codec_status codec_png_reader_open(int file, codec_png_reader **reader);

/* The header. Its sizes are 0 where the file failed before they were known. */
codec_png_header codec_png_reader_header(const codec_png_reader *reader);

/* The TIFF structure of the eXIf chunk; *length is 0 and the result NULL if none came before the pixels. The bytes
   are the handle's and live as long as it does. */
const uint8_t *codec_png_reader_exif(codec_png_reader *reader, size_t *length);

codec_png_colour codec_png_reader_colour(codec_png_reader *reader);

/* Begins to decode to RGB or RGBA (not premultiplied) of 8 bits a sample; where `wide`, which only a file of 16 bits
   may be asked for, of 16 in the machine's byte order. *passes is 1, or 7 where interlaced: then the caller holds
   the whole picture and reads all its rows, in order, that many times into the same memory. */
codec_status codec_png_reader_start(codec_png_reader *reader, bool wide, int *passes);

/* Reads `count` rows, `stride` bytes apart, into `rows`, which the caller owns; there must be as many left in this
   pass. */
codec_status codec_png_reader_rows(codec_png_reader *reader, uint8_t *rows, size_t stride, uint32_t count);

/* Reads the rest of the file up to IEND, so that a missing end is detected. */
codec_status codec_png_reader_finish(codec_png_reader *reader);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_png_reader_failure(const codec_png_reader *reader);

/* Frees the handle and all it owns; not the descriptor. NULL is allowed. Cannot fail. */
void codec_png_reader_close(codec_png_reader *reader);

#endif

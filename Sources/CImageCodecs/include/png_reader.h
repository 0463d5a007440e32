#ifndef PNG_READER_H
#define PNG_READER_H

#include "codec_failure.h"

/* A decoder of a PNG file, which delivers rows. Only one thread at a time may use a handle. */
typedef struct codec_png_reader codec_png_reader;

/* The facts that a file states before its first IDAT chunk. */
typedef struct codec_png_header {
    uint32_t width, height;  /* in pixels, as stored */
    bool has_transparency;   /* there is an alpha channel or a tRNS chunk: rows are RGBA; otherwise RGB */
    bool is_grey;            /* red, green and blue of each pixel are equal */
    uint32_t bits;           /* bits per sample, as stored */
    bool is_interlaced;      /* Adam7 */
    uint32_t stored_bits;    /* bits per pixel, as stored */
    uint64_t profile_bytes;  /* size of the ICC profile; 0 if there is none */
    uint64_t metadata_bytes; /* size of the other chunks that are kept */
} codec_png_header;

/* The colour information of a file, as far as libpng accepts it as valid. */
typedef struct codec_png_colour {
    bool is_srgb;                         /* there is an sRGB chunk, or a profile that libpng recognises as sRGB */
    const uint8_t *profile;               /* iCCP; NULL if there is none. The handle owns the bytes */
    size_t profile_length;
    bool profile_is_broken;               /* there is an iCCP chunk that libpng can't read */
    bool has_code_points;                 /* cICP: code_points is set */
    uint8_t code_points[4];               /* primaries, transfer, matrix, and 1 for full range (ITU-T H.273) */
    double gamma;                         /* gAMA; 0 if there is none */
    bool has_chromaticities;              /* cHRM: the fields below are set, x and y each */
    double white[2], red[2], green[2], blue[2];
} codec_png_colour;

/* Creates a handle and reads up to the first IDAT chunk. Text, and any other chunks that neither pixels nor colours
   need, are skipped without being kept or decompressed; so is a profile of more than 8 MB. `file` is a descriptor at
   offset 0 of the file. The caller owns it and must keep it open until the handle is closed. *reader is set unless the
   result is CODEC_OUT_OF_MEMORY, even on failure; the caller owns it and must close it. */
codec_status codec_png_reader_open(int file, codec_png_reader **reader);

/* Returns the header. Its sizes are 0 if the file failed before they were known. */
codec_png_header codec_png_reader_header(const codec_png_reader *reader);

/* Returns the TIFF structure of the eXIf chunk. If none comes before the pixels, the result is NULL and *length 0. The
   handle owns the bytes, which live as long as it does. */
const uint8_t *codec_png_reader_exif(codec_png_reader *reader, size_t *length);

/* Returns the colour information, which is empty if the file failed before its first IDAT chunk. The handle owns the
   bytes of the profile, which live as long as it does. */
codec_png_colour codec_png_reader_colour(codec_png_reader *reader);

/* Begins to decode to RGB or RGBA, not premultiplied. A sample has 8 bits, or, if `wide`, 16 bits in the machine's byte
   order; `wide` is allowed only for a file of 16 bits. *passes is set to 1, or to 7 if the picture is interlaced. An
   interlaced picture must be held whole by the caller, who reads all its rows, in order, that many times into the same
   memory. */
codec_status codec_png_reader_start(codec_png_reader *reader, bool wide, int *passes);

/* Reads `count` rows, `stride` bytes apart, into `rows`, which the caller owns. At least `count` rows must be left in
   the current pass. */
codec_status codec_png_reader_rows(codec_png_reader *reader, uint8_t *rows, size_t stride, uint32_t count);

/* Reads the rest of the file up to IEND, so that a missing end is detected. */
codec_status codec_png_reader_finish(codec_png_reader *reader);

/* Returns the failure of the last call that did not return CODEC_OK. The handle owns it. */
const codec_failure *codec_png_reader_failure(const codec_png_reader *reader);

/* Frees the handle and everything it owns, but not the descriptor. NULL is allowed. Cannot fail. */
void codec_png_reader_close(codec_png_reader *reader);

#endif

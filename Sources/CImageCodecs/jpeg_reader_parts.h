#ifndef JPEG_READER_PARTS_H
#define JPEG_READER_PARTS_H

/* Declarations that only the files of the JPEG reader include. */

#include "jpeg_reader.h"
#include "descriptor_io.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

/* The part of an ICC profile that one APP2 segment holds. The part owns its bytes, which are NULL until it is read. */
typedef struct profile_part {
    uint8_t *bytes;
    size_t length;
} profile_part;

enum { MAX_PROFILE_PARTS = 255 };

/* The packed coefficients of one component. */
typedef struct jpeg_packed_array jpeg_packed_array;

struct codec_jpeg_reader {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    codec_failure failure;
    jmp_buf *escape;      /* the setjmp frame of the call in progress; NULL between calls */
    int file;
    bool created;         /* jpeg_create_decompress has returned */
    bool has_many_scans;
    bool past_end;        /* the file has ended; an EOI marker was supplied in its place */
    bool data_missing;    /* libjpeg made up data because a scan ended early */
    bool data_damaged;    /* libjpeg found invalid codes */
    uint8_t *exif;
    size_t exif_length;
    profile_part parts[MAX_PROFILE_PARTS];  /* part n is at index n - 1 */
    unsigned part_count;                    /* the number of parts that the segments state; 0 before the first */
    size_t profile_length;                  /* total length of the parts read so far */
    bool profile_broken;
    uint8_t *profile;                       /* the joined parts */
    jpeg_packed_array *packed_arrays;       /* the components whose coefficients are packed; NULL if none are */
    JOCTET buffer[DESCRIPTOR_BUFFER_SIZE];
};

/* Records a failure of the reader, with a copy of the message. Returns the status. */
codec_status jpeg_reader_fail(codec_jpeg_reader *reader, codec_status status, const char *message);

/* Makes libjpeg report its errors to the reader. A fatal error ends the call in progress with a failure, a warning sets
   data_missing or data_damaged if it concerns the pixels, and nothing is printed. Call before
   jpeg_create_decompress. */
void jpeg_reader_catch_errors(codec_jpeg_reader *reader);

/* Makes libjpeg read from the reader's descriptor, and keep the first EXIF data and the ICC profile. Call after
   jpeg_create_decompress. */
void jpeg_reader_attach_source(codec_jpeg_reader *reader);

/* Returns the next byte of the file, for marker processors. */
unsigned jpeg_reader_next_byte(j_decompress_ptr codec);

/* Skips `count` bytes of a segment, or none if `count` is below 1. */
void jpeg_reader_skip(j_decompress_ptr codec, long count);

/* The marker processor of APP2 segments. It keeps the parts of an ICC profile (ICC.1:2010 annex B.4), up to a limit. */
boolean jpeg_reader_keep_profile_part(j_decompress_ptr codec);

/* Frees all parts, and the profile that they were joined into. */
void jpeg_reader_free_profile(codec_jpeg_reader *reader);

/* Makes libjpeg hold the coefficients of the picture packed. Call before decoding begins. */
void jpeg_reader_pack_coefficients(codec_jpeg_reader *reader);

/* Returns the most bytes that packing takes for one component beside its coefficients. Sizes are in blocks. */
uint64_t jpeg_reader_packing_bytes(uint64_t width, uint64_t height, uint64_t window_height);

/* Frees all packed coefficients. Call before jpeg_destroy_decompress. */
void jpeg_reader_free_coefficients(codec_jpeg_reader *reader);

#endif

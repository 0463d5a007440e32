#ifndef JPEG_READER_PARTS_H
#define JPEG_READER_PARTS_H

/* Declarations that only the files of the JPEG reader include. */

#include "jpeg_reader.h"
#include "descriptor_io.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

/* The part of an ICC profile in one APP2 segment. It owns its bytes; NULL before the segment is read. */
typedef struct profile_part {
    uint8_t *bytes;
    size_t length;
} profile_part;

enum { MAX_PROFILE_PARTS = 255 };

struct codec_jpeg_reader {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    codec_failure failure;
    jmp_buf *escape;      /* the frame of the call in progress; NULL outside of calls */
    int file;
    bool created;         /* jpeg_create_decompress has returned */
    bool has_many_scans;
    bool past_end;        /* the file has ended; an EOI marker was supplied in its place */
    bool data_missing;    /* libjpeg made up data because a scan ended early */
    bool data_damaged;    /* libjpeg found invalid codes */
    uint8_t *exif;
    size_t exif_length;
    profile_part parts[MAX_PROFILE_PARTS];  /* by their numbers, from 1 */
    unsigned part_count;                    /* the number that the segments give; 0 before the first */
    size_t profile_length;                  /* total length of the parts read so far */
    bool profile_broken;
    uint8_t *profile;                       /* the parts put together */
    JOCTET buffer[DESCRIPTOR_BUFFER_SIZE];
};

/* Records the failure of the reader, with a copy of the message. Returns the status. */
codec_status jpeg_reader_fail(codec_jpeg_reader *reader, codec_status status, const char *message);

/* Makes libjpeg report to the reader: fatal errors end the call in progress with a failure, warnings are sorted into
   data_missing and data_damaged, nothing is printed. To be called before jpeg_create_decompress. */
void jpeg_reader_catch_errors(codec_jpeg_reader *reader);

/* Makes libjpeg read from the reader's descriptor, and keep the first EXIF and the ICC profile. To be called after
   jpeg_create_decompress. */
void jpeg_reader_attach_source(codec_jpeg_reader *reader);

/* Returns the next byte of the file, for processors of segments. */
unsigned jpeg_reader_next_byte(j_decompress_ptr codec);

/* Skips `count` bytes of a segment; a count below 1 skips none. */
void jpeg_reader_skip(j_decompress_ptr codec, long count);

/* The processor of APP2 segments: keeps the parts of an ICC profile (ICC.1:2010 annex B.4), within a bound. */
boolean jpeg_reader_keep_profile_part(j_decompress_ptr codec);

/* Frees all parts, and the profile made of them. */
void jpeg_reader_free_profile(codec_jpeg_reader *reader);

#endif

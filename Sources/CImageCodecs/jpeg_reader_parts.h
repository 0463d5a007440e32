#ifndef JPEG_READER_PARTS_H
#define JPEG_READER_PARTS_H

/* What the files of the JPEG reader share; nobody else includes it. */

#include "jpeg_reader.h"
#include "descriptor_io.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

/* One APP2 segment's part of the ICC profile; no bytes where it has not come. The bytes are its own. */
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
    bool created;         /* jpeg_create_decompress has been through */
    bool has_many_scans;
    bool past_end;        /* the file has ended; an EOI marker was supplied in its place */
    bool data_missing;    /* libjpeg made up data because a scan ended early */
    bool data_damaged;    /* libjpeg met codes that cannot be */
    uint8_t *exif;
    size_t exif_length;
    profile_part parts[MAX_PROFILE_PARTS];  /* by their numbers, from 1 */
    unsigned part_count;                    /* how many the segments say there are; 0 before the first */
    size_t profile_length;                  /* of all parts that have come */
    bool profile_broken;
    uint8_t *profile;                       /* the parts put together */
    JOCTET buffer[DESCRIPTOR_BUFFER_SIZE];
};

/* Gives the reader its failure. The message is copied. Returns the status. */
codec_status jpeg_reader_fail(codec_jpeg_reader *reader, codec_status status, const char *message);

/* Makes libjpeg report to the reader: fatal errors end the call in progress with a failure, warnings are sorted into
   data_missing and data_damaged, nothing is printed. To be called before jpeg_create_decompress. */
void jpeg_reader_catch_errors(codec_jpeg_reader *reader);

/* Makes libjpeg read from the reader's descriptor, and keep the first EXIF and the ICC profile. To be called after
   jpeg_create_decompress. */
void jpeg_reader_attach_source(codec_jpeg_reader *reader);

/* The next byte of the file, for processors of segments. */
unsigned jpeg_reader_next_byte(j_decompress_ptr codec);

/* Passes over the rest of a segment; `count` may be 0 or less. */
void jpeg_reader_skip(j_decompress_ptr codec, long count);

/* The processor of APP2 segments: keeps the parts of an ICC profile (ICC.1:2010 annex B.4), within a bound. */
boolean jpeg_reader_keep_profile_part(j_decompress_ptr codec);

/* Frees all parts, and the profile made of them. */
void jpeg_reader_free_profile(codec_jpeg_reader *reader);

#endif

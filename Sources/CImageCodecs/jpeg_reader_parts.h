#ifndef JPEG_READER_PARTS_H
#define JPEG_READER_PARTS_H

/* What the files of the JPEG reader share; nobody else includes it. */

#include "jpeg_reader.h"
#include "descriptor_io.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

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
    JOCTET buffer[DESCRIPTOR_BUFFER_SIZE];
};

/* Gives the reader its failure. The message is copied. Returns the status. */
codec_status jpeg_reader_fail(codec_jpeg_reader *reader, codec_status status, const char *message);

/* Makes libjpeg report to the reader: fatal errors end the call in progress with a failure, warnings are sorted into
   data_missing and data_damaged, nothing is printed. To be called before jpeg_create_decompress. */
void jpeg_reader_catch_errors(codec_jpeg_reader *reader);

/* Makes libjpeg read from the reader's descriptor, and keep the first EXIF. To be called after
   jpeg_create_decompress. */
void jpeg_reader_attach_source(codec_jpeg_reader *reader);

#endif

#ifndef PNG_CHUNKS_H
#define PNG_CHUNKS_H

/* Declarations that only the files of the PNG reader include. */

#include "codec_failure.h"
#include "descriptor_io.h"

enum { SIGNATURE_LENGTH = 8, CHUNK_HEADER_LENGTH = 8, CRC_LENGTH = 4 };

/* A PNG file that is read chunk by chunk (PNG specification, third edition, §5.3). Each function that returns a status
   can fail with CODEC_TRUNCATED, CODEC_CORRUPT or CODEC_IO, and then has written to `failure`. */
typedef struct png_chunks {
    int file;
    codec_failure *failure;  /* owned and set by the caller before each call */
    uint8_t name[4];         /* of the current chunk; zeros for the signature */
    uint32_t left;           /* the number of bytes of its data that have not been taken */
    uint32_t crc;            /* the CRC of its name and of the data that have been taken */
    bool has_header;         /* `header` holds the header of the next chunk */
    uint8_t header[CHUNK_HEADER_LENGTH];
    size_t used, filled;
    uint8_t buffer[DESCRIPTOR_BUFFER_SIZE];
} png_chunks;

/* Starts at the signature, which is read as if it were the data of a chunk. The caller owns the descriptor. */
void png_chunks_begin(png_chunks *chunks, int file);

bool png_chunks_is_named(const png_chunks *chunks, const char *name);

/* Records a failure with its message. Returns the status. */
codec_status png_chunks_fail(png_chunks *chunks, codec_status status, const char *message);

/* Records CODEC_CORRUPT with a message that starts with the name of the chunk, which must consist of letters. Returns
   the status. */
codec_status png_chunks_fail_named(png_chunks *chunks, const char *message);

/* Takes the header of the next chunk. The CRC of the chunk before it must have been taken. */
codec_status png_chunks_next(png_chunks *chunks);

/* Takes as many bytes of the chunk's data as the buffer holds, and at least one; some must be left. *part points into
   the buffer and is valid until the next call. */
codec_status png_chunks_take_part(png_chunks *chunks, const uint8_t **part, size_t *length);

/* Takes the CRC after a chunk's data, and checks that of a critical chunk. libpng checks the CRC of an ancillary chunk,
   and drops a damaged one. */
codec_status png_chunks_take_crc(png_chunks *chunks, uint8_t *bytes);

/* Takes the next bytes of an IDAT chunk, or of the IDAT chunks that directly follow it. *length is 0 if none are
   left. */
codec_status png_chunks_take_data(png_chunks *chunks, const uint8_t **part, size_t *length);

#endif

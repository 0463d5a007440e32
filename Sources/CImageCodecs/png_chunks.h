#ifndef PNG_CHUNKS_H
#define PNG_CHUNKS_H

/* What the files of the PNG reader share; nobody else includes it. */

#include "codec_failure.h"
#include "descriptor_io.h"

enum { SIGNATURE_LENGTH = 8, CHUNK_HEADER_LENGTH = 8, CRC_LENGTH = 4 };

/* A PNG file, taken chunk by chunk (PNG specification, third edition, §5.3). Every call may fail with CODEC_TRUNCATED,
   CODEC_CORRUPT or CODEC_IO, and has then written to `failure`. */
typedef struct png_chunks {
    int file;
    codec_failure *failure;  /* the caller's, who sets it before each call */
    uint8_t name[4];         /* the chunk's; zeros for the signature */
    uint32_t left;           /* bytes of its data that have not been taken */
    uint32_t crc;            /* of its name and those that have */
    bool has_header;         /* of the chunk that comes next, in `header` */
    uint8_t header[CHUNK_HEADER_LENGTH];
    size_t used, filled;
    uint8_t buffer[DESCRIPTOR_BUFFER_SIZE];
} png_chunks;

/* Begins with the signature, which is taken as if it were a chunk's data. The descriptor stays the caller's. */
void png_chunks_begin(png_chunks *chunks, int file);

bool png_chunks_is_named(const png_chunks *chunks, const char *name);

/* Gives a failure its words. Returns the status. */
codec_status png_chunks_fail(png_chunks *chunks, codec_status status, const char *message);

/* The same for CODEC_CORRUPT, with the name of the chunk, which must consist of letters. */
codec_status png_chunks_fail_named(png_chunks *chunks, const char *message);

/* Takes the header of the next chunk. The CRC of the one before must have been taken. */
codec_status png_chunks_next(png_chunks *chunks);

/* Takes the next bytes of the chunk's data, of which there must be some: at least one, and as many as are at hand. They
   stay where they are until the next call. */
codec_status png_chunks_take_part(png_chunks *chunks, const uint8_t **part, size_t *length);

/* Takes the CRC after a chunk's data. That of an ancillary chunk is libpng's affair, which leaves out a damaged one. */
codec_status png_chunks_take_crc(png_chunks *chunks, uint8_t *bytes);

/* Takes the next bytes of an IDAT chunk, or of those that follow it at once: none when there are no more. */
codec_status png_chunks_take_data(png_chunks *chunks, const uint8_t **part, size_t *length);

#endif

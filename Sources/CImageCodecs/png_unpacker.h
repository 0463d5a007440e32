#ifndef PNG_UNPACKER_H
#define PNG_UNPACKER_H

/* What the files of the PNG reader share; nobody else includes it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <isa-l/igzip_lib.h>

enum { ZLIB_HEADER_LENGTH = 2 };

/* Unpacks a zlib stream (RFC 1950) piece by piece, with isa-l, which also compares the stream's Adler-32: the CRCs
   of the chunks say nothing of what their data unpack to. */
typedef struct png_unpacker {
    uint8_t *data;
    size_t capacity;
    size_t length;      /* how much of `data` there is; the owner takes it, and makes room */
    bool has_ended;     /* the stream has, its checksum included */
    size_t header_length;
    uint8_t header[ZLIB_HEADER_LENGTH];
    struct inflate_state inflate;
} png_unpacker;

/* With room for so many bytes, and a few more that may be read and written. NULL where memory has run out; else the
   caller owns it and frees it. */
png_unpacker *png_unpacker_create(size_t capacity);

/* Frees the unpacker. NULL is allowed. */
void png_unpacker_free(png_unpacker *unpacker);

/* Hands over the next part of the stream, which must stay where it is until png_unpacker_run has returned with room
   left in `data`. What was handed over before must have been used up so. */
void png_unpacker_feed(png_unpacker *unpacker, const uint8_t *bytes, size_t count);

/* Unpacks until `data` is full, the stream has ended or nothing is left of the input. NULL, or what is wrong with the
   stream; the text is static. */
const char *png_unpacker_run(png_unpacker *unpacker);

#endif

#ifndef PNG_UNPACKER_H
#define PNG_UNPACKER_H

/* Declarations that only the files of the PNG reader include. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <isa-l/igzip_lib.h>

enum { ZLIB_HEADER_LENGTH = 2 };

/* Unpacks a zlib stream (RFC 1950) piece by piece with isa-l, which also checks the stream's Adler-32. That check is
   needed because the CRCs of the chunks do not cover the unpacked data. */
typedef struct png_unpacker {
    uint8_t *data;
    size_t capacity;
    size_t length;      /* bytes in `data`. The owner consumes them and resets the length */
    bool has_ended;     /* the stream has ended, including its checksum */
    size_t header_length;
    uint8_t header[ZLIB_HEADER_LENGTH];
    struct inflate_state inflate;
} png_unpacker;

/* Creates an unpacker with room for `capacity` bytes, and for a few more that can be read and written. Returns NULL if
   there is no memory; otherwise the caller owns the unpacker and must free it. */
png_unpacker *png_unpacker_create(size_t capacity);

/* Frees the unpacker, which can be NULL. */
void png_unpacker_free(png_unpacker *unpacker);

/* Sets the next part of the stream. The bytes must stay valid until png_unpacker_run returns with room left in `data`.
   The part before must have been used up in the same way. */
void png_unpacker_feed(png_unpacker *unpacker, const uint8_t *bytes, size_t count);

/* Unpacks until `data` is full, the stream has ended, or the input is used up. Returns NULL, or a static message if the
   stream is damaged. */
const char *png_unpacker_run(png_unpacker *unpacker);

#endif

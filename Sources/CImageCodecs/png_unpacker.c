#include "png_unpacker.h"

#include <stdlib.h>

enum { SLACK = 8 };

png_unpacker *png_unpacker_create(size_t capacity) {
    /* malloc does not touch the memory, so only the pages that receive data are used. */
    png_unpacker *unpacker = malloc(sizeof *unpacker);
    uint8_t *data = malloc(capacity + SLACK);
    if (unpacker == NULL || data == NULL) {
        free(unpacker);
        free(data);
        return NULL;
    }
    unpacker->data = data;
    unpacker->capacity = capacity;
    unpacker->length = 0;
    unpacker->has_ended = false;
    unpacker->header_length = 0;
    isal_inflate_init(&unpacker->inflate);
    /* header_is_sound checks the two bytes of the header, and isa-l checks the checksum at the end. */
    unpacker->inflate.crc_flag = ISAL_ZLIB_NO_HDR_VER;
    unpacker->inflate.next_in = NULL;
    unpacker->inflate.avail_in = 0;
    return unpacker;
}

void png_unpacker_free(png_unpacker *unpacker) {
    if (unpacker == NULL) return;
    free(unpacker->data);
    free(unpacker);
}

void png_unpacker_feed(png_unpacker *unpacker, const uint8_t *bytes, size_t count) {
    while (count > 0 && unpacker->header_length < ZLIB_HEADER_LENGTH) {
        unpacker->header[unpacker->header_length++] = *bytes++;
        count--;
    }
    /* isa-l does not write to its input; the type of its field merely lacks const. */
    unpacker->inflate.next_in = (uint8_t *)bytes;
    unpacker->inflate.avail_in = (uint32_t)count;
}

/* Returns whether the header is valid (RFC 1950 §2.2). The window can have any size, since isa-l has room for the
   largest. */
static bool header_is_sound(const png_unpacker *unpacker) {
    enum { DEFLATE = 8, HAS_DICTIONARY = 0x20 };
    unsigned method = unpacker->header[0], flags = unpacker->header[1];
    return (method & 0xF) == DEFLATE && method >> 4 <= 7 && (method << 8 | flags) % 31 == 0
        && (flags & HAS_DICTIONARY) == 0;
}

const char *png_unpacker_run(png_unpacker *unpacker) {
    struct inflate_state *inflate = &unpacker->inflate;
    if (unpacker->header_length < ZLIB_HEADER_LENGTH) return NULL;
    if (!header_is_sound(unpacker)) return "incorrect header";
    inflate->next_out = unpacker->data + unpacker->length;
    size_t room = unpacker->capacity - unpacker->length;
    uint32_t given = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    inflate->avail_out = given;
    int result = isal_inflate(inflate);
    unpacker->length += given - inflate->avail_out;
    unpacker->has_ended = inflate->block_state == ISAL_BLOCK_FINISH;
    switch (result) {
    case ISAL_DECOMP_OK: return NULL;
    case ISAL_INVALID_LOOKBACK: return "invalid distance too far back";
    case ISAL_INVALID_SYMBOL: return "invalid code";
    case ISAL_INCORRECT_CHECKSUM: return "incorrect data check";
    default: return "invalid block";
    }
}

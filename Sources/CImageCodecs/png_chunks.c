#include "png_chunks.h"

#include <stdio.h>
#include <string.h>

#include <isa-l/crc.h>

void png_chunks_begin(png_chunks *chunks, int file) {
    chunks->file = file;
    chunks->left = SIGNATURE_LENGTH;
}

bool png_chunks_is_named(const png_chunks *chunks, const char *name) { return memcmp(chunks->name, name, 4) == 0; }

codec_status png_chunks_fail(png_chunks *chunks, codec_status status, const char *message) {
    chunks->failure->status = status;
    snprintf(chunks->failure->message, sizeof chunks->failure->message, "%s", message);
    return status;
}

codec_status png_chunks_fail_named(png_chunks *chunks, const char *message) {
    codec_failure *failure = chunks->failure;
    failure->status = CODEC_CORRUPT;
    snprintf(failure->message, sizeof failure->message, "%.4s: %s", (const char *)chunks->name, message);
    return CODEC_CORRUPT;
}

/* Fills the buffer if it is empty. */
static codec_status fill(png_chunks *chunks) {
    if (chunks->used < chunks->filled) return CODEC_OK;
    ssize_t count = descriptor_read(chunks->file, chunks->buffer, sizeof chunks->buffer);
    if (count < 0) chunks->failure->io_errno = errno;
    if (count < 0) return png_chunks_fail(chunks, CODEC_IO, "reading failed");
    if (count == 0) return png_chunks_fail(chunks, CODEC_TRUNCATED, "premature end of file");
    chunks->used = 0;
    chunks->filled = (size_t)count;
    return CODEC_OK;
}

/* Copies the next `count` bytes of the file, one by one, which is fast enough for headers and checksums. */
static codec_status take(png_chunks *chunks, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        codec_status status = fill(chunks);
        if (status != CODEC_OK) return status;
        bytes[i] = chunks->buffer[chunks->used++];
    }
    return CODEC_OK;
}

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

codec_status png_chunks_next(png_chunks *chunks) {
    codec_status status = chunks->has_header ? CODEC_OK : take(chunks, chunks->header, CHUNK_HEADER_LENGTH);
    if (status != CODEC_OK) return status;
    chunks->has_header = false;
    chunks->left = number(chunks->header);
    memcpy(chunks->name, chunks->header + 4, 4);
    chunks->crc = crc32_gzip_refl(0, chunks->name, 4);
    bool is_out_of_range = png_chunks_is_named(chunks, "IDAT") && chunks->left > INT32_MAX;
    return is_out_of_range ? png_chunks_fail_named(chunks, "length out of range") : CODEC_OK;
}

codec_status png_chunks_take_part(png_chunks *chunks, const uint8_t **part, size_t *length) {
    codec_status status = fill(chunks);
    if (status != CODEC_OK) return status;
    *part = chunks->buffer + chunks->used;
    *length = chunks->filled - chunks->used;
    if (*length > chunks->left) *length = chunks->left;
    chunks->used += *length;
    chunks->left -= (uint32_t)*length;
    chunks->crc = crc32_gzip_refl(chunks->crc, *part, *length);
    return CODEC_OK;
}

codec_status png_chunks_take_crc(png_chunks *chunks, uint8_t *bytes) {
    codec_status status = take(chunks, bytes, CRC_LENGTH);
    bool is_critical = png_chunks_is_named(chunks, "IHDR") || png_chunks_is_named(chunks, "PLTE")
        || png_chunks_is_named(chunks, "IDAT") || png_chunks_is_named(chunks, "IEND");
    bool is_wrong = status == CODEC_OK && is_critical && number(bytes) != chunks->crc;
    return is_wrong ? png_chunks_fail_named(chunks, "CRC error") : status;
}

codec_status png_chunks_take_data(png_chunks *chunks, const uint8_t **part, size_t *length) {
    *length = 0;
    while (chunks->left == 0 && !chunks->has_header) {
        uint8_t crc[CRC_LENGTH];
        codec_status status = png_chunks_take_crc(chunks, crc);
        if (status == CODEC_OK) status = take(chunks, chunks->header, CHUNK_HEADER_LENGTH);
        if (status != CODEC_OK) return status;
        chunks->has_header = true;
        if (memcmp(chunks->header + 4, "IDAT", 4) == 0) status = png_chunks_next(chunks);
        if (status != CODEC_OK) return status;
    }
    return chunks->left == 0 ? CODEC_OK : png_chunks_take_part(chunks, part, length);
}

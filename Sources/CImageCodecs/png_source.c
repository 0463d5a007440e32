#include "png_source.h"
#include "png_chunks.h"
#include "png_rows.h"
#include "png_unpacker.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHECKSUM_LENGTH = 4,  /* the size of the checksum at the end of a zlib stream */
    STORED_HEADER_LENGTH = 5,
    STORED_BLOCK_MAX = 65535,
    UNPACKED_AT_ONCE = 1 << 18  /* isa-l copies 32 KB for each piece that it unpacks, so large pieces cost less */
};

/* The part of the file that is served next. */
typedef enum {
    AT_CHUNK,    /* the header of a chunk of the file */
    IN_CHUNK,    /* the rest of that chunk's data, unchanged; also the signature */
    AT_CRC,      /* the CRC after that chunk's data */
    AT_BLOCK,    /* the headers of an IDAT chunk and of the stored block in it */
    IN_BLOCK,    /* the unpacked data in that block */
    AFTER_BLOCK  /* the bytes after that block */
} phase;

struct png_source {
    phase phase;
    const uint8_t *served;   /* the next of the served_left bytes that are being served */
    size_t served_left;
    bool has_data;           /* the first IDAT chunk has been reached */
    png_unpacker *unpacker;  /* NULL until the layout is known */
    png_rows rows;
    uint64_t expected;       /* the number of the picture's bytes that have not been unpacked */
    size_t ready;            /* the number of unpacked bytes that can be served */
    bool is_unpacked;        /* no IDAT chunk of the file is left */
    bool is_complete;        /* no IDAT chunk is left, and the picture is complete */
    bool is_last;            /* the block being served is the last one */
    size_t block_start, block_length;
    uint8_t piece[CHUNK_HEADER_LENGTH + STORED_HEADER_LENGTH];
    png_chunks chunks;
};

png_source *png_source_create(int file) {
    png_source *source = calloc(1, sizeof *source);
    if (source == NULL) return NULL;
    source->phase = IN_CHUNK;
    png_chunks_begin(&source->chunks, file);
    return source;
}

bool png_source_expect(png_source *source, png_layout layout) {
    source->expected = layout.bytes;
    source->unpacker = png_unpacker_create(UNPACKED_AT_ONCE + layout.row_bytes);
    return source->unpacker != NULL
        && (!png_rows_knows(layout.bits_per_pixel, layout.is_interlaced)
            || png_rows_begin(&source->rows, layout.row_bytes, layout.bits_per_pixel / 8));
}

void png_source_free(png_source *source) {
    if (source == NULL) return;
    png_unpacker_free(source->unpacker);
    png_rows_end(&source->rows);
    free(source);
}

/* Skips the rest of the IDAT chunks. */
static codec_status pass_over_data(png_source *source) {
    size_t length;
    const uint8_t *part;
    do {
        codec_status status = png_chunks_take_data(&source->chunks, &part, &length);
        if (status != CODEC_OK) return status;
    } while (length > 0);
    source->is_unpacked = true;
    source->is_complete = true;
    return CODEC_OK;
}

/* Unpacks until the buffer is full or the data end. */
static codec_status unpack(png_source *source) {
    png_unpacker *unpacker = source->unpacker;
    for (;;) {
        size_t before = unpacker->length;
        const char *problem = png_unpacker_run(unpacker);
        size_t count = unpacker->length - before;
        if (problem != NULL) return png_chunks_fail_named(&source->chunks, problem);
        /* Data after the picture do it no harm. They are not unpacked, so the checksum, which covers all data, can't be
           verified. */
        bool has_more = count > source->expected;
        if (has_more) count = (size_t)source->expected;
        unpacker->length = before + count;
        source->expected -= count;
        if (has_more || unpacker->has_ended) return pass_over_data(source);
        if (unpacker->length == unpacker->capacity) return CODEC_OK;
        const uint8_t *part;
        size_t length;
        codec_status status = png_chunks_take_data(&source->chunks, &part, &length);
        source->is_unpacked = length == 0;
        if (status != CODEC_OK) return status;
        if (source->is_unpacked && source->expected == 0)
            return png_chunks_fail(&source->chunks, CODEC_TRUNCATED, "the data end before their checksum");
        if (source->is_unpacked) return CODEC_OK;
        png_unpacker_feed(unpacker, part, length);
    }
}

/* Prepares the next unpacked rows for serving, or, at the end, all data that are left. */
static codec_status prepare(png_source *source) {
    png_unpacker *unpacker = source->unpacker;
    unpacker->length -= source->ready;
    memmove(unpacker->data, unpacker->data + source->ready, unpacker->length);
    codec_status status = unpack(source);
    if (status != CODEC_OK) return status;
    source->ready = png_rows_unfilter(&source->rows, unpacker->data, unpacker->length);
    if (source->is_unpacked) source->ready = unpacker->length;
    source->block_start = 0;
    return CODEC_OK;
}

static codec_status serve(png_source *source, const uint8_t *bytes, size_t count, phase then) {
    source->served = bytes;
    source->served_left = count;
    source->phase = then;
    return CODEC_OK;
}

/* Serves an IDAT chunk with only a zlib header, before the chunks with blocks. The size of a block is not known until
   data are unpacked, and a caller that only wants the size of the picture doesn't need them. The header states the
   smallest window, because zlib then has the least to copy. */
static codec_status begin_data(png_source *source) {
    static const uint8_t chunk[CHUNK_HEADER_LENGTH + ZLIB_HEADER_LENGTH + CRC_LENGTH] = {
        0, 0, 0, ZLIB_HEADER_LENGTH, 'I', 'D', 'A', 'T', 0x08, 0x1D};
    source->has_data = true;
    return serve(source, chunk, sizeof chunk, AT_BLOCK);
}

static codec_status serve_chunk_header(png_source *source) {
    codec_status status = png_chunks_next(&source->chunks);
    if (status != CODEC_OK) return status;
    if (png_chunks_is_named(&source->chunks, "IDAT") && !source->has_data) return begin_data(source);
    return serve(source, source->chunks.header, CHUNK_HEADER_LENGTH, IN_CHUNK);
}

static codec_status serve_chunk(png_source *source) {
    if (source->chunks.left == 0) {
        source->phase = source->chunks.name[0] == 0 ? AT_CHUNK : AT_CRC;
        return CODEC_OK;
    }
    const uint8_t *part;
    size_t length;
    codec_status status = png_chunks_take_part(&source->chunks, &part, &length);
    return status == CODEC_OK ? serve(source, part, length, IN_CHUNK) : status;
}

static codec_status serve_crc(png_source *source) {
    codec_status status = png_chunks_take_crc(&source->chunks, source->piece);
    return status == CODEC_OK ? serve(source, source->piece, CRC_LENGTH, AT_CHUNK) : status;
}

static codec_status serve_block_header(png_source *source) {
    source->block_start += source->block_length;
    source->block_length = 0;
    if (source->block_start == source->ready && !source->is_unpacked) {
        codec_status status = prepare(source);
        if (status != CODEC_OK) return status;
    }
    size_t left = source->ready - source->block_start;
    /* If the IDAT chunks of the file end before the picture is complete, libpng must find no more of them either. */
    if (source->is_last || (left == 0 && !source->is_complete)) {
        source->phase = AT_CHUNK;
        return CODEC_OK;
    }
    source->block_length = left < STORED_BLOCK_MAX ? left : STORED_BLOCK_MAX;
    source->is_last = source->is_complete && source->block_length == left;
    uint32_t length = (uint32_t)source->block_length, tail = source->is_last ? CHECKSUM_LENGTH : 0;
    uint32_t all = STORED_HEADER_LENGTH + length + tail, inverse = ~length;
    const uint8_t header[CHUNK_HEADER_LENGTH + STORED_HEADER_LENGTH] = {
        0, (uint8_t)(all >> 16), (uint8_t)(all >> 8), (uint8_t)all, 'I', 'D', 'A', 'T',
        source->is_last, (uint8_t)length, (uint8_t)(length >> 8), (uint8_t)inverse, (uint8_t)(inverse >> 8)};
    memcpy(source->piece, header, sizeof header);
    return serve(source, source->piece, sizeof header, IN_BLOCK);
}

static codec_status serve_block(png_source *source) {
    return serve(source, source->unpacker->data + source->block_start, source->block_length, AFTER_BLOCK);
}

static codec_status serve_block_end(png_source *source) {
    /* libpng is told to ignore both checksums, because those of the file have been checked here. */
    static const uint8_t checksum_and_crc[CHECKSUM_LENGTH + CRC_LENGTH] = {0};
    return serve(source, checksum_and_crc, CRC_LENGTH + (source->is_last ? CHECKSUM_LENGTH : 0u), AT_BLOCK);
}

/* Prepares bytes to serve, or moves on to the next phase. */
static codec_status serve_next(png_source *source) {
    switch (source->phase) {
    case AT_CHUNK: return serve_chunk_header(source);
    case IN_CHUNK: return serve_chunk(source);
    case AT_CRC: return serve_crc(source);
    case AT_BLOCK: return serve_block_header(source);
    case IN_BLOCK: return serve_block(source);
    case AFTER_BLOCK: return serve_block_end(source);
    }
    return CODEC_OK;
}

codec_status png_source_read(png_source *source, uint8_t *bytes, size_t count, codec_failure *failure) {
    source->chunks.failure = failure;
    while (count > 0) {
        while (source->served_left == 0) {
            codec_status status = serve_next(source);
            if (status != CODEC_OK) return status;
        }
        size_t part = source->served_left < count ? source->served_left : count;
        memcpy(bytes, source->served, part);
        source->served += part;
        source->served_left -= part;
        bytes += part;
        count -= part;
    }
    return CODEC_OK;
}

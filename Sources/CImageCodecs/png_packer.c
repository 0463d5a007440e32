#include "png_packer.h"

#include <stdlib.h>
#include <string.h>

#include <isa-l/igzip_lib.h>

enum {
    BATCH = 1 << 17,    /* bytes of rows at which a batch is compressed */
    BATCHES_ALIKE = 4,  /* batches that share the strategy of the first: choosing one takes a tenth of the time */
    SLACK = 16,
    OUTPUT = 1 << 14,
    MEMORY_LEVEL = 8
};

int png_packer_begin(png_packer *packer, int level, size_t row_length) {
    packer->checksum = 1;
    packer->batch = malloc(BATCH + row_length + SLACK);
    if (packer->batch == NULL) return Z_MEM_ERROR;
    return deflateInit2(&packer->stream, level, Z_DEFLATED, -MAX_WBITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
}

void png_packer_end(png_packer *packer) {
    deflateEnd(&packer->stream);
    free(packer->batch);
}

uint8_t *png_packer_row(png_packer *packer) { return packer->batch + packer->filled; }

enum { MATCH_LENGTH = 8 };  /* bytes that are compared to find a repeat */

static uint32_t hash_at(const uint8_t *bytes) {
    uint32_t text;
    memcpy(&text, bytes, sizeof text);
    return text * 2654435761u;
}

/* Chooses one position in eight, by a hash of its bytes, so that equal bytes are chosen wherever they are. Returns the
   number of chosen positions. */
static size_t sample(const uint8_t *bytes, size_t from, size_t to, uint32_t *positions) {
    enum { SAMPLE = 7 };
    size_t count = 0;
    for (size_t at = from; at < to; at++) {
        positions[count] = (uint32_t)at;  /* without a branch, which the processor could not predict */
        count += (hash_at(bytes + at) >> 17 & SAMPLE) == 0;
    }
    return count;
}

static bool is_run(const uint8_t *bytes) { return memcmp(bytes, bytes + 1, MATCH_LENGTH - 1) == 0; }

/* Returns whether enough of the batch repeats for zlib to search for matches. Runs don't count. */
static bool has_repeats(const png_packer *packer) {
    enum { HASHES = 1 << 12, PART = 1 << 10 };
    uint32_t last[HASHES] = {0};  /* the last position of each hash, counted from 1; 0 if there is none */
    uint32_t positions[PART];
    const uint8_t *bytes = packer->batch;
    size_t end = packer->filled < MATCH_LENGTH ? 0 : packer->filled - MATCH_LENGTH + 1, looked_at = 0, found = 0;
    for (size_t from = 0; from < end; from += PART) {
        size_t count = sample(bytes, from, end - from < PART ? end : from + PART, positions);
        for (size_t i = 0; i < count; i++) {
            size_t at = positions[i];
            if (is_run(bytes + at)) continue;
            uint32_t *entry = &last[hash_at(bytes + at) >> 20];
            looked_at++;
            found += *entry > 0 && memcmp(bytes + *entry - 1, bytes + at, MATCH_LENGTH) == 0;
            *entry = (uint32_t)at + 1;
        }
    }
    return found * 6 > looked_at;
}

/* Gives zlib the input, and all its output to `sink`. */
static void deflate_repeats(
    png_packer *packer, uint8_t *bytes, size_t count, int flush, deflated_sink *sink, void *context) {
    uint8_t output[OUTPUT];
    packer->stream.next_in = bytes;
    packer->stream.avail_in = (uInt)count;
    do {
        packer->stream.next_out = output;
        packer->stream.avail_out = sizeof output;
        deflate(&packer->stream, flush);
        size_t written = sizeof output - packer->stream.avail_out;
        if (written > 0) sink(context, output, written);
    } while (packer->stream.avail_out == 0);
}

/* Ends the bytes of one strategy at a whole byte, so that those of the other one can follow. zlib starts again without
   the bytes before, because it has not seen those that were compressed by runs. */
static void change_strategy(png_packer *packer, deflated_sink *sink, void *context) {
    if (packer->has_repeats) {
        deflate_repeats(packer, NULL, 0, Z_SYNC_FLUSH, sink, context);
        deflateReset(&packer->stream);
    } else {
        run_deflater_align(&packer->runs, sink, context);
    }
    packer->has_repeats = !packer->has_repeats;
}

/* The header (RFC 1950, §2.2) says: a window of 32 KB, and a fast compression. */
static const uint8_t HEADER[] = {0x78, 0x5E};

static void pack(png_packer *packer, deflated_sink *sink, void *context) {
    if (packer->batches == 0) sink(context, HEADER, sizeof HEADER);
    if (packer->batches++ % BATCHES_ALIKE == 0 && has_repeats(packer) != packer->has_repeats)
        change_strategy(packer, sink, context);
    packer->checksum = isal_adler32(packer->checksum, packer->batch, packer->filled);
    if (packer->has_repeats) deflate_repeats(packer, packer->batch, packer->filled, Z_NO_FLUSH, sink, context);
    else run_deflater_add(&packer->runs, packer->batch, packer->filled, sink, context);
    packer->filled = 0;
}

void png_packer_add(png_packer *packer, size_t length, deflated_sink *sink, void *context) {
    packer->filled += length;
    if (packer->filled >= BATCH) pack(packer, sink, context);
}

void png_packer_finish(png_packer *packer, deflated_sink *sink, void *context) {
    pack(packer, sink, context);
    if (packer->has_repeats) change_strategy(packer, sink, context);
    run_deflater_finish(&packer->runs, sink, context);
    uint32_t sum = packer->checksum;
    const uint8_t checksum[] = {(uint8_t)(sum >> 24), (uint8_t)(sum >> 16), (uint8_t)(sum >> 8), (uint8_t)sum};
    sink(context, checksum, sizeof checksum);
}

#include "png_packer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 1 << 17,
    BATCHES_ALIKE = 4,  /* batches that share the strategy of the first: choosing one takes a tenth of the time */
    SLACK = 16,
    OUTPUT = 1 << 14,
    MEMORY_LEVEL = 8
};

int png_packer_begin(png_packer *packer, int level, size_t row_length) {
    packer->level = level;
    packer->strategy = Z_RLE;
    packer->capacity = BATCH;
    packer->batch = malloc(BATCH + row_length + SLACK);
    if (packer->batch == NULL) return Z_MEM_ERROR;
    return deflateInit2(&packer->stream, level, Z_DEFLATED, MAX_WBITS, MEMORY_LEVEL, packer->strategy);
}

void png_packer_end(png_packer *packer) {
    deflateEnd(&packer->stream);
    free(packer->batch);
}

uint8_t *png_packer_row(png_packer *packer) { return packer->batch + packer->filled; }

static bool is_run(const uint8_t *bytes) { return memcmp(bytes, bytes + 1, 7) == 0; }

/* Returns whether enough of the batch repeats for zlib to search for matches. One position in eight is sampled. It is
   chosen by a hash of its bytes, so that equal bytes are sampled wherever they are. */
static bool has_repeats(const png_packer *packer) {
    enum { HASHES = 1 << 12, SAMPLE = 7, MATCH_LENGTH = 8 };
    uint32_t last[HASHES] = {0};  /* the last position of each hash, counted from 1; 0 if there is none */
    const uint8_t *bytes = packer->batch;
    size_t looked_at = 0, found = 0;
    for (size_t at = 0; at + MATCH_LENGTH <= packer->filled; at++) {
        uint32_t text;
        memcpy(&text, bytes + at, sizeof text);
        uint32_t hash = text * 2654435761u;
        if ((hash >> 17 & SAMPLE) != 0 || is_run(bytes + at)) continue;
        uint32_t *entry = &last[hash >> 20];
        looked_at++;
        found += *entry > 0 && memcmp(bytes + *entry - 1, bytes + at, MATCH_LENGTH) == 0;
        *entry = (uint32_t)at + 1;
    }
    return found * 6 > looked_at;
}

/* Runs zlib until it has no more output, which goes to `sink`. */
static void run(png_packer *packer, bool changes_strategy, int flush, png_packer_sink *sink, void *context) {
    uint8_t output[OUTPUT];
    int result;
    do {
        packer->stream.next_out = output;
        packer->stream.avail_out = sizeof output;
        result = changes_strategy ? deflateParams(&packer->stream, packer->level, packer->strategy)
                                  : deflate(&packer->stream, flush);
        size_t count = sizeof output - packer->stream.avail_out;
        if (count > 0) sink(context, output, count);
    } while (changes_strategy ? result == Z_BUF_ERROR : packer->stream.avail_out == 0);
}

static void pack(png_packer *packer, int flush, png_packer_sink *sink, void *context) {
    if (packer->batches++ % BATCHES_ALIKE == 0) {
        int strategy = has_repeats(packer) ? Z_DEFAULT_STRATEGY : Z_RLE;
        bool is_other = strategy != packer->strategy;
        packer->strategy = strategy;
        if (is_other) run(packer, true, Z_NO_FLUSH, sink, context);
    }
    packer->stream.next_in = packer->batch;
    packer->stream.avail_in = (uInt)packer->filled;
    run(packer, false, flush, sink, context);
    packer->filled = 0;
}

void png_packer_add(png_packer *packer, size_t length, png_packer_sink *sink, void *context) {
    packer->filled += length;
    if (packer->filled >= packer->capacity) pack(packer, Z_NO_FLUSH, sink, context);
}

void png_packer_finish(png_packer *packer, png_packer_sink *sink, void *context) {
    pack(packer, Z_FINISH, sink, context);
}

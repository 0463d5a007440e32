#ifndef RUN_DEFLATER_H
#define RUN_DEFLATER_H

/* Declarations that only the files of the PNG writer include. */

#include <stddef.h>
#include <stdint.h>

/* Receives `count` compressed bytes, which the sender owns. */
typedef void deflated_sink(void *context, const uint8_t *bytes, size_t count);

/* The most symbols and the most tokens of a block, which has Huffman codes of its own. More would suit each part
   of the block less well. */
enum { RUN_BLOCK_SYMBOLS = 1 << 15, RUN_BLOCK_TOKENS = 1 << 13 };

/* Compresses bytes by run lengths and Huffman codes alone, in the format of DEFLATE (RFC 1951): the only matches are
   those with the byte before, at distance 1. For photographs, this is nearly as small as with all matches. zlib has
   such a strategy too, Z_RLE, but takes four times as long. The result depends on nothing but the bytes. */
typedef struct run_deflater {
    uint64_t bits;       /* bits that do not fill a byte yet, from the lowest bit on */
    unsigned bit_count;  /* fewer than 8 between calls */
    size_t filled;
    uint8_t output[1 << 14];
    /* The tokens of the current block: literals, and the run after them, 3 to 258 bytes. In the last token, the run can
       be missing. */
    struct run_token {
        uint16_t literals, run;
    } tokens[RUN_BLOCK_TOKENS];
} run_deflater;

/* Compresses `count` bytes. `deflater` is all zeros before the first call. Up to 7 bits remain in it. */
void run_deflater_add(
    run_deflater *deflater, const uint8_t *bytes, size_t count, deflated_sink *sink, void *context);

/* Ends the current byte with an empty stored block, so that other compressed bytes can follow. */
void run_deflater_align(run_deflater *deflater, deflated_sink *sink, void *context);

/* Ends the stream with an empty block. */
void run_deflater_finish(run_deflater *deflater, deflated_sink *sink, void *context);

#endif

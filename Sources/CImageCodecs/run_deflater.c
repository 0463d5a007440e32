#include "run_deflater.h"
#include "huffman_code.h"

#include <stdbool.h>
#include <string.h>

enum {
    SHORTEST_RUN = 3,
    LONGEST_RUN = 258,
    END_OF_BLOCK = 256,
    SYMBOLS = 286,          /* literals, the end of a block, and codes of lengths */
    FIXED_SYMBOLS = 288,
    LENGTH_SYMBOLS = 19,    /* codes for the lengths of code words */
    LONGEST_WORD = 12,      /* so that four words fit into the 64 bits, or three and a run; RFC 1951 allows 15 */
    LONGEST_LENGTH_WORD = 7,
    LITERALS_AT_ONCE = 4,
    STORED_MOST = 65535,
    STORED_HEADER = 5,      /* bytes */
    PART = 4096,            /* literals that are written without a look at the room */
    ROOM = 2 * PART         /* output bytes that are free before a part and a run are written */
};

typedef enum { STORED, FIXED, DYNAMIC } block_kind;

/* The Huffman codes of a block. */
typedef struct block_code {
    uint8_t lengths[FIXED_SYMBOLS];
    uint16_t words[FIXED_SYMBOLS];
    unsigned distance_length;  /* of the word for distance 1, which consists of zeros */
} block_code;

/* The lengths of a dynamic block's code words as they are written (RFC 1951, §3.2.7). */
typedef struct code_header {
    unsigned symbols, length_symbols, count;
    struct {
        uint8_t symbol, extra;
    } items[SYMBOLS + 1];
    uint8_t lengths[LENGTH_SYMBOLS];
    uint16_t words[LENGTH_SYMBOLS];
    uint32_t bits;
} code_header;

/* The code of a run's length: its symbol and its extra bits. */
typedef struct run_code {
    unsigned symbol, extra_bits, extra;
} run_code;

static run_code code_of_run(unsigned run) {
    unsigned offset = run - SHORTEST_RUN;
    if (run == LONGEST_RUN) return (run_code){.symbol = 285};
    if (offset < 8) return (run_code){.symbol = 257 + offset};
    unsigned extra_bits = 29 - (unsigned)__builtin_clz(offset);
    return (run_code){
        .symbol = 257 + 4 * extra_bits + (offset >> extra_bits), .extra_bits = extra_bits,
        .extra = offset & ((1u << extra_bits) - 1)};
}

static inline void put(run_deflater *deflater, unsigned value, unsigned count) {
    deflater->bits |= (uint64_t)value << deflater->bit_count;
    deflater->bit_count += count;
}

/* Moves all whole bytes to the output. */
static inline void drain(run_deflater *deflater) {
    for (unsigned i = 0; i < 8; i++) deflater->output[deflater->filled + i] = (uint8_t)(deflater->bits >> 8 * i);
    deflater->filled += deflater->bit_count / 8;
    deflater->bits >>= deflater->bit_count & ~7u;
    deflater->bit_count &= 7;
}

static inline void put_and_drain(run_deflater *deflater, unsigned value, unsigned count) {
    put(deflater, value, count);
    drain(deflater);
}

static inline void put_literals(run_deflater *deflater, const block_code *code, const uint8_t *bytes) {
    for (size_t i = 0; i < LITERALS_AT_ONCE; i++) put(deflater, code->words[bytes[i]], code->lengths[bytes[i]]);
    drain(deflater);
}

static void empty_output(run_deflater *deflater, deflated_sink *sink, void *context) {
    if (deflater->filled > 0) sink(context, deflater->output, deflater->filled);
    deflater->filled = 0;
}

static void make_room(run_deflater *deflater, deflated_sink *sink, void *context) {
    if (deflater->filled > sizeof deflater->output - ROOM) empty_output(deflater, sink, context);
}

/* Returns eight bytes, the first of which is the lowest. */
static uint64_t eight(const uint8_t *bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static bool repeats(const uint8_t *byte) { return byte[0] == byte[-1]; }

/* Returns the first place before `end` at which three bytes are equal to the byte before, or `end`. */
static const uint8_t *next_run(const uint8_t *at, const uint8_t *end) {
    const uint64_t low = 0x7F7F7F7F7F7F7F7F;
    while (end - at >= 8) {
        uint64_t difference = eight(at) ^ eight(at - 1);
        /* The highest bit of each byte that is zero. */
        uint64_t zeros = ~(((difference & low) + low) | difference | low);
        uint64_t starts = zeros & zeros >> 8 & zeros >> 16;
        if (starts != 0) return at + __builtin_ctzll(starts) / 8;
        at += 6;
    }
    while (end - at >= SHORTEST_RUN && !(repeats(at) && repeats(at + 1) && repeats(at + 2))) at++;
    return end - at >= SHORTEST_RUN ? at : end;
}

static const uint8_t *end_of_run(const uint8_t *at, const uint8_t *end) {
    if (end - at > LONGEST_RUN) end = at + LONGEST_RUN;
    while (end - at >= 8) {
        uint64_t difference = eight(at) ^ eight(at - 1);
        if (difference != 0) return at + __builtin_ctzll(difference) / 8;
        at += 8;
    }
    while (at < end && repeats(at)) at++;
    return at;
}

/* Splits the first bytes into the tokens of a block. `has_before` tells whether the byte before them can be repeated.
   Returns the number of these bytes. */
static size_t split(
    run_deflater *deflater, const uint8_t *bytes, size_t count, bool has_before, size_t *tokens) {
    const uint8_t *at = bytes, *end = bytes + count;
    size_t symbols = 0;
    for (*tokens = 0; at < end && symbols < RUN_BLOCK_SYMBOLS && *tokens < RUN_BLOCK_TOKENS; ++*tokens) {
        size_t left = RUN_BLOCK_SYMBOLS - symbols;
        const uint8_t *last = (size_t)(end - at) < left ? end : at + left;
        const uint8_t *start = next_run(has_before ? at : at + 1, last);
        const uint8_t *next = start < last ? end_of_run(start, end) : last;
        deflater->tokens[*tokens] = (struct run_token){(uint16_t)(start - at), (uint16_t)(next - start)};
        symbols += (size_t)(start - at) + 1;
        at = next;
        has_before = true;
    }
    return (size_t)(at - bytes);
}

/* Counts how often each symbol occurs. Returns the number of extra bits after them. */
static uint32_t count_symbols(
    const run_deflater *deflater, size_t tokens, const uint8_t *bytes, uint32_t *counts) {
    uint32_t parts[4][256] = {{0}};  /* several tables, because equal bytes follow each other */
    uint32_t runs[LONGEST_RUN + 1] = {0}, extra_bits = 0;
    memset(counts, 0, SYMBOLS * sizeof *counts);
    for (size_t i = 0; i < tokens; i++) {
        size_t literals = deflater->tokens[i].literals, run = deflater->tokens[i].run, at = 0;
        for (; at + 4 <= literals; at += 4)
            for (size_t part = 0; part < 4; part++) parts[part][bytes[at + part]]++;
        for (; at < literals; at++) parts[at % 4][bytes[at]]++;
        runs[run]++;
        bytes += literals + run;
    }
    for (int i = 0; i < 256; i++) counts[i] = parts[0][i] + parts[1][i] + parts[2][i] + parts[3][i];
    counts[END_OF_BLOCK] = 1;
    for (unsigned run = SHORTEST_RUN; run <= LONGEST_RUN; run++) {
        counts[code_of_run(run).symbol] += runs[run];
        extra_bits += runs[run] * code_of_run(run).extra_bits;
    }
    return extra_bits;
}

static void add_item(code_header *header, uint32_t *counts, unsigned symbol, unsigned extra) {
    header->items[header->count].symbol = (uint8_t)symbol;
    header->items[header->count++].extra = (uint8_t)extra;
    counts[symbol]++;
}

static unsigned extra_bits_of(unsigned symbol) { return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0; }

static const uint8_t length_order[LENGTH_SYMBOLS] = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

/* Packs the lengths of the code words, that of distance 1 after all others. */
static void make_header(code_header *header, const block_code *code) {
    uint8_t lengths[SYMBOLS + 1];
    uint32_t counts[LENGTH_SYMBOLS] = {0};
    unsigned symbols = SYMBOLS;
    while (code->lengths[symbols - 1] == 0) symbols--;
    memcpy(lengths, code->lengths, symbols);
    lengths[symbols] = (uint8_t)code->distance_length;
    header->symbols = symbols;
    header->count = 0;
    for (unsigned at = 0; at <= symbols;) {
        unsigned length = lengths[at], same = 1;
        while (at + same <= symbols && lengths[at + same] == length) same++;
        at += same;
        if (length > 0) {
            add_item(header, counts, length, 0);
            same--;
        }
        while (same >= 3) {
            unsigned most = length > 0 ? 6 : 138, part = same < most ? same : most;
            if (length > 0) add_item(header, counts, 16, part - 3);
            else if (part <= 10) add_item(header, counts, 17, part - 3);
            else add_item(header, counts, 18, part - 11);
            same -= part;
        }
        for (; same > 0; same--) add_item(header, counts, length, 0);
    }
    huffman_lengths(counts, LENGTH_SYMBOLS, LONGEST_LENGTH_WORD, header->lengths);
    huffman_words(header->lengths, LENGTH_SYMBOLS, header->words);
    header->length_symbols = LENGTH_SYMBOLS;
    while (header->lengths[length_order[header->length_symbols - 1]] == 0) header->length_symbols--;
    header->bits = 5 + 5 + 4 + 3 * header->length_symbols;
    for (unsigned symbol = 0; symbol < LENGTH_SYMBOLS; symbol++)
        header->bits += counts[symbol] * (header->lengths[symbol] + extra_bits_of(symbol));
}

static void write_header(run_deflater *deflater, const code_header *header) {
    put_and_drain(deflater, header->symbols - 257, 5);
    put_and_drain(deflater, 0, 5);  /* one distance */
    put_and_drain(deflater, header->length_symbols - 4, 4);
    for (unsigned i = 0; i < header->length_symbols; i++)
        put_and_drain(deflater, header->lengths[length_order[i]], 3);
    for (unsigned i = 0; i < header->count; i++) {
        unsigned symbol = header->items[i].symbol;
        put(deflater, header->words[symbol], header->lengths[symbol]);
        put_and_drain(deflater, header->items[i].extra, extra_bits_of(symbol));
    }
}

static void make_fixed(block_code *code) {
    for (int symbol = 0; symbol < FIXED_SYMBOLS; symbol++)
        code->lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    code->distance_length = 5;
}

static uint32_t bits_of(const block_code *code, const uint32_t *counts) {
    uint32_t bits = 0;
    for (int symbol = 0; symbol < SYMBOLS; symbol++) bits += counts[symbol] * code->lengths[symbol];
    for (int symbol = END_OF_BLOCK + 1; symbol < SYMBOLS; symbol++) bits += counts[symbol] * code->distance_length;
    return bits;
}

/* The bits of each run: the code of its length, and of the distance 1. */
typedef struct run_bits {
    uint32_t bits[LONGEST_RUN + 1];
    uint8_t counts[LONGEST_RUN + 1];
} run_bits;

static void make_run_bits(run_bits *runs, const block_code *code) {
    runs->bits[0] = runs->counts[0] = 0;
    for (unsigned run = SHORTEST_RUN; run <= LONGEST_RUN; run++) {
        run_code own = code_of_run(run);
        unsigned length = code->lengths[own.symbol];
        runs->bits[run] = code->words[own.symbol] | own.extra << length;
        runs->counts[run] = (uint8_t)(length + own.extra_bits + code->distance_length);
    }
}

static void write_tokens(
    run_deflater *deflater, size_t tokens, const block_code *code, const uint8_t *bytes, deflated_sink *sink,
    void *context) {
    run_bits runs;
    make_run_bits(&runs, code);
    for (size_t i = 0; i < tokens; i++) {
        struct run_token token = deflater->tokens[i];
        const uint8_t *end = bytes + token.literals;
        while (end - bytes > PART) {
            make_room(deflater, sink, context);
            for (const uint8_t *part = bytes + PART; bytes < part; bytes += LITERALS_AT_ONCE)
                put_literals(deflater, code, bytes);
        }
        make_room(deflater, sink, context);
        for (; end - bytes >= LITERALS_AT_ONCE; bytes += LITERALS_AT_ONCE)
            put_literals(deflater, code, bytes);
        for (; bytes < end; bytes++) put(deflater, code->words[*bytes], code->lengths[*bytes]);
        put_and_drain(deflater, runs.bits[token.run], runs.counts[token.run]);
        bytes += token.run;
    }
    make_room(deflater, sink, context);
    put_and_drain(deflater, code->words[END_OF_BLOCK], code->lengths[END_OF_BLOCK]);
}

static void begin_block(run_deflater *deflater, block_kind kind, bool is_last) {
    put_and_drain(deflater, is_last, 1);
    put_and_drain(deflater, kind, 2);
}

/* Writes a stored block of at most 65535 bytes. */
static void store(run_deflater *deflater, const uint8_t *bytes, size_t count, deflated_sink *sink, void *context) {
    make_room(deflater, sink, context);
    begin_block(deflater, STORED, false);
    put_and_drain(deflater, 0, -deflater->bit_count & 7);
    put_and_drain(deflater, (unsigned)count, 16);
    put_and_drain(deflater, (unsigned)~count & STORED_MOST, 16);
    empty_output(deflater, sink, context);
    if (count > 0) sink(context, bytes, count);
}

/* Writes a block of as many of the bytes as it can hold. Returns their number. */
static size_t add_block(
    run_deflater *deflater, const uint8_t *bytes, size_t count, bool has_before, deflated_sink *sink, void *context) {
    uint32_t counts[SYMBOLS];
    block_code fixed, dynamic = {.distance_length = 1};
    code_header header;
    size_t tokens;
    count = split(deflater, bytes, count, has_before, &tokens);
    uint32_t extra_bits = count_symbols(deflater, tokens, bytes, counts);
    huffman_lengths(counts, SYMBOLS, LONGEST_WORD, dynamic.lengths);
    make_header(&header, &dynamic);
    make_fixed(&fixed);
    uint32_t dynamic_bits = header.bits + bits_of(&dynamic, counts), fixed_bits = bits_of(&fixed, counts);
    block_kind kind = fixed_bits <= dynamic_bits ? FIXED : DYNAMIC;
    size_t bits = (kind == FIXED ? fixed_bits : dynamic_bits) + extra_bits;
    if (count <= STORED_MOST && 8 * (STORED_HEADER + count) <= bits) {
        store(deflater, bytes, count, sink, context);
        return count;
    }
    block_code *code = kind == FIXED ? &fixed : &dynamic;
    huffman_words(code->lengths, kind == FIXED ? FIXED_SYMBOLS : SYMBOLS, code->words);
    make_room(deflater, sink, context);
    begin_block(deflater, kind, false);
    if (kind == DYNAMIC) write_header(deflater, &header);
    write_tokens(deflater, tokens, code, bytes, sink, context);
    return count;
}

void run_deflater_add(
    run_deflater *deflater, const uint8_t *bytes, size_t count, deflated_sink *sink, void *context) {
    for (size_t at = 0; at < count;)
        at += add_block(deflater, bytes + at, count - at, at > 0, sink, context);
}

void run_deflater_align(run_deflater *deflater, deflated_sink *sink, void *context) {
    store(deflater, NULL, 0, sink, context);
}

void run_deflater_finish(run_deflater *deflater, deflated_sink *sink, void *context) {
    make_room(deflater, sink, context);
    begin_block(deflater, FIXED, true);
    put_and_drain(deflater, 0, 7);  /* the end of the block */
    put_and_drain(deflater, 0, -deflater->bit_count & 7);
    empty_output(deflater, sink, context);
}

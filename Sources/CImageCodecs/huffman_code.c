#include "huffman_code.h"

#include <string.h>

enum { LONGEST = 15 };

/* A symbol that occurs. */
typedef struct leaf {
    uint32_t count;
    uint16_t symbol;
} leaf;

/* Sorts by counts of 16 bits, and equal ones by their symbols. */
static void sort(leaf *leaves, unsigned count) {
    leaf sorted[HUFFMAN_MOST_SYMBOLS];
    for (unsigned shift = 0; shift < 16; shift += 8) {
        unsigned starts[257] = {0};
        for (unsigned i = 0; i < count; i++) starts[(leaves[i].count >> shift & 0xFF) + 1]++;
        for (unsigned byte = 0; byte < 255; byte++) starts[byte + 1] += starts[byte];
        for (unsigned i = 0; i < count; i++) sorted[starts[leaves[i].count >> shift & 0xFF]++] = leaves[i];
        memcpy(leaves, sorted, count * sizeof *leaves);
    }
}

/* Computes how many code words have each length, without a limit except that of `depths`, whose last element also
   counts all longer ones. `leaves` are sorted by their counts. */
static void count_depths(const leaf *leaves, unsigned count, unsigned longest, unsigned *depths) {
    /* Inner nodes in the order of their sums, which is also the order in which they are made. The two lightest trees
       are the first that are left among the leaves and among the nodes. */
    uint32_t sums[HUFFMAN_MOST_SYMBOLS];
    uint16_t parents[HUFFMAN_MOST_SYMBOLS], leaf_parents[HUFFMAN_MOST_SYMBOLS];
    unsigned leaf_at = 0, node_at = 0;
    for (unsigned node = 0; node + 1 < count; node++) {
        sums[node] = 0;
        for (int child = 0; child < 2; child++) {
            if (leaf_at < count && (node_at == node || leaves[leaf_at].count <= sums[node_at])) {
                sums[node] += leaves[leaf_at].count;
                leaf_parents[leaf_at++] = (uint16_t)node;
            } else {
                sums[node] += sums[node_at];
                parents[node_at++] = (uint16_t)node;
            }
        }
    }
    uint16_t node_depths[HUFFMAN_MOST_SYMBOLS];
    node_depths[count - 2] = 0;
    for (unsigned node = count - 2; node-- > 0;) node_depths[node] = node_depths[parents[node]] + 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned depth = node_depths[leaf_parents[i]] + 1u;
        depths[depth < longest ? depth : longest]++;
    }
}

/* Shortens words that are too long. Words of the greatest length were counted although they are longer, so that the
   code has too many words. A word of that length goes next to a shorter one, which becomes longer by a bit. */
static void limit(unsigned *depths, unsigned longest) {
    uint32_t used = 0;  /* of the 2^longest words of the greatest length */
    for (unsigned length = 1; length <= longest; length++) used += (uint32_t)depths[length] << (longest - length);
    for (; used > 1u << longest; used--) {
        unsigned length = longest - 1;
        while (depths[length] == 0) length--;
        depths[longest]--;
        depths[length]--;
        depths[length + 1] += 2;
    }
}

void huffman_lengths(const uint32_t *counts, unsigned symbols, unsigned longest, uint8_t *lengths) {
    leaf leaves[HUFFMAN_MOST_SYMBOLS];
    unsigned depths[LONGEST + 1] = {0}, count = 0;
    for (unsigned symbol = 0; symbol < symbols; symbol++) {
        lengths[symbol] = 0;
        if (counts[symbol] > 0) leaves[count++] = (leaf){counts[symbol], (uint16_t)symbol};
    }
    if (count == 1) lengths[leaves[0].symbol] = 1;
    if (count < 2) return;
    sort(leaves, count);
    count_depths(leaves, count, longest, depths);
    limit(depths, longest);
    unsigned at = 0;
    for (unsigned length = longest; length > 0; length--)
        for (unsigned i = 0; i < depths[length]; i++) lengths[leaves[at++].symbol] = (uint8_t)length;
}

static uint16_t reversed(unsigned word, unsigned length) {
    unsigned result = 0;
    for (unsigned i = 0; i < length; i++) result |= (word >> i & 1) << (length - 1 - i);
    return (uint16_t)result;
}

void huffman_words(const uint8_t *lengths, unsigned symbols, uint16_t *words) {
    unsigned depths[LONGEST + 1] = {0}, next[LONGEST + 2] = {0};
    for (unsigned symbol = 0; symbol < symbols; symbol++) depths[lengths[symbol]]++;
    for (unsigned length = 1; length <= LONGEST; length++) next[length + 1] = (next[length] + depths[length]) << 1;
    for (unsigned symbol = 0; symbol < symbols; symbol++)
        if (lengths[symbol] > 0) words[symbol] = reversed(next[lengths[symbol]]++, lengths[symbol]);
}

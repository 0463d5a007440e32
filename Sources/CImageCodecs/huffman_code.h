#ifndef HUFFMAN_CODE_H
#define HUFFMAN_CODE_H

/* Declarations that only the files of the PNG writer include. */

#include <stdint.h>

enum { HUFFMAN_MOST_SYMBOLS = 288 };

/* Computes the lengths of the code words of a Huffman code, none longer than `longest` bits. `counts` says how often
   each symbol occurs. A symbol that does not occur has the length 0. If there is only one, its length is 1.

   No more than 2^`longest` symbols occur, and none more than 65535 times. */
void huffman_lengths(const uint32_t *counts, unsigned symbols, unsigned longest, uint8_t *lengths);

/* Computes the code words of these lengths (RFC 1951, §3.2.2), at most 15 bits, with their first bit lowest. */
void huffman_words(const uint8_t *lengths, unsigned symbols, uint16_t *words);

#endif

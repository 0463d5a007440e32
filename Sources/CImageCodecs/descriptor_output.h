#ifndef DESCRIPTOR_OUTPUT_H
#define DESCRIPTOR_OUTPUT_H

#include "descriptor_io.h"

#include <string.h>

/* A write buffer for a file. A new one is all zeros but for the descriptor, which the caller owns. */
typedef struct descriptor_output {
    int file;
    int64_t bytes;  /* that were written */
    size_t filled;
    uint8_t buffer[DESCRIPTOR_BUFFER_SIZE];
} descriptor_output;

/* Writes the buffered bytes. Returns false with errno set if write(2) fails. */
static inline bool descriptor_output_flush(descriptor_output *output) {
    if (descriptor_write(output->file, output->buffer, output->filled) != 0) return false;
    output->bytes += (int64_t)output->filled;
    output->filled = 0;
    return true;
}

/* Adds the bytes to the buffer, and writes it whenever it is full. Returns false as descriptor_output_flush does. */
static inline bool descriptor_output_put(descriptor_output *output, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        size_t part = sizeof output->buffer - output->filled;
        if (part > count) part = count;
        memcpy(output->buffer + output->filled, bytes, part);
        output->filled += part;
        bytes += part;
        count -= part;
        if (output->filled == sizeof output->buffer && !descriptor_output_flush(output)) return false;
    }
    return true;
}

#endif

#ifndef DESCRIPTOR_OUTPUT_H
#define DESCRIPTOR_OUTPUT_H

#include "descriptor_io.h"

#include <string.h>

/* A write buffer for a descriptor, which the caller owns. A new buffer is all zeros except for the descriptor. */
typedef struct descriptor_output {
    int file;
    int64_t bytes;  /* the number of bytes written to the file */
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

/* Appends the bytes to the buffer, and writes the buffer whenever it is full. Returns false with errno set if write(2)
   fails. */
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

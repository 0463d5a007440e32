#ifndef DESCRIPTOR_OUTPUT_H
#define DESCRIPTOR_OUTPUT_H

#include "descriptor_io.h"

#include <string.h>

/* Bytes on their way to a file, gathered so that it is written to in large pieces. Zeros and a descriptor, which
   stays its owner's, are a new one. */
typedef struct descriptor_output {
    int file;
    int64_t bytes;  /* that were written */
    size_t filled;
    uint8_t buffer[DESCRIPTOR_BUFFER_SIZE];
} descriptor_output;

/* Writes what was gathered. False where write(2) failed, which errno explains. */
static inline bool descriptor_output_flush(descriptor_output *output) {
    if (descriptor_write(output->file, output->buffer, output->filled) != 0) return false;
    output->bytes += (int64_t)output->filled;
    output->filled = 0;
    return true;
}

/* Takes the bytes in, and writes as often as the buffer is full. False as above. */
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

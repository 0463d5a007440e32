#ifndef DESCRIPTOR_IO_H
#define DESCRIPTOR_IO_H

#include "codec_failure.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

enum { DESCRIPTOR_BUFFER_SIZE = 65536 };

/* Calls read(2), and again if a signal interrupts it. Returns the number of bytes read, 0 at the end of the file, or -1
   with errno set. */
static inline ssize_t descriptor_read(int file, void *bytes, size_t size) {
    ssize_t count;
    do count = read(file, bytes, size); while (count < 0 && errno == EINTR);
    return count;
}

/* Calls write(2) until all bytes are written. Returns 0, or -1 with errno set. */
static inline int descriptor_write(int file, const void *bytes, size_t size) {
    const char *next = bytes;
    while (size > 0) {
        ssize_t count = write(file, next, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -1;
        next += count;
        size -= (size_t)count;
    }
    return 0;
}

#endif

#include "CImageCodecs.h"

#include <stdlib.h>

/* An allocation of this size stays below the size that tcmalloc reports on standard error as unusually large. */
static const size_t LARGEST_PART = 512 << 20;

/* A compiler may remove an unused allocation, but it must keep a call through a volatile pointer. */
static void *(*volatile allocate)(size_t) = malloc;

bool codec_can_allocate(size_t bytes) {
    if (bytes == 0) return true;
    size_t part = bytes < LARGEST_PART ? bytes : LARGEST_PART;
    void *memory = allocate(part);
    if (memory == NULL) return false;
    bool can_allocate = codec_can_allocate(bytes - part);
    free(memory);
    return can_allocate;
}

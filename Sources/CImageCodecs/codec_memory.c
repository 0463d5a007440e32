#include "CImageCodecs.h"

#include <stdlib.h>

/* Each is smaller than what tcmalloc reports as unusual, which it does on standard error. */
static const size_t LARGEST_PART = 512 << 20;

/* Compilers may leave out allocations that nobody uses, but not these calls. */
static void *(*volatile allocate)(size_t) = malloc;

bool codec_memory_is_there(size_t bytes) {
    if (bytes == 0) return true;
    size_t part = bytes < LARGEST_PART ? bytes : LARGEST_PART;
    void *memory = allocate(part);
    if (memory == NULL) return false;
    bool is_there = codec_memory_is_there(bytes - part);
    free(memory);
    return is_there;
}

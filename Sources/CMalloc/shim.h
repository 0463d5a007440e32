#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* To be called before the first thread is made. Tables of a large gallery go back to the system when they are freed, and what
   one thread has freed another can use: by itself glibc keeps up to eight heaps a core, and soon takes large tables from
   them. Owns nothing; a system that does not know these settings does without. */
static inline void heap_prepare(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

/* Gives the system the memory back that the heap holds and nobody uses: glibc keeps what each thread has freed for that
   thread. Not visible to Swift, and elsewhere not needed. Owns nothing, cannot fail. */
static inline void heap_give_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

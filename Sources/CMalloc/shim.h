#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Gives the system the memory back that the heap holds and nobody uses: glibc keeps what each thread has freed for that
   thread. Not visible to Swift, and elsewhere not needed. Owns nothing, cannot fail. */
static inline void heap_give_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#include <mimalloc.h>

/* To be called before the first thread is made. Memory that nobody uses goes back to the system at once: by itself mimalloc keeps it
   for some milliseconds, in which others have asked for more. MIMALLOC_DECOMMIT_DELAY or, from 2.1 on, MIMALLOC_PURGE_DELAY in the
   environment goes before. Owns nothing, cannot fail. */
static inline void mi_give_back_at_once(void) {
#if MI_MALLOC_VERSION >= 210
    mi_option_set_default(mi_option_purge_delay, 0);
#else
    mi_option_set_default(mi_option_decommit_delay, 0);
#endif
}

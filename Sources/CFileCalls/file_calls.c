#define _GNU_SOURCE

#include "file_calls.h"

#include <errno.h>
#include <fcntl.h>

int file_open_quietly(const char *path) {
    int flags = O_RDONLY | O_CLOEXEC;
#ifdef O_NOATIME
    int file = open(path, flags | O_NOATIME);
    /* Only its owner and root may, and not every file system knows of it. */
    if (file >= 0 || (errno != EPERM && errno != EINVAL)) return file;
#endif
    return open(path, flags);
}

void file_begin_writing(int file) {
#ifdef SYNC_FILE_RANGE_WRITE
    sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)file;
#endif
}
